"""What the checks of Python clients share: one shape for sync and asyncio, comparisons, and the run of named checks."""

import traceback


class Awaited:
    """The sync client with methods that can be awaited, so that one check serves both clients."""

    def __init__(self, client):
        self._client = client

    def __getattr__(self, name):
        method = getattr(self._client, name)
        if name in ("pipeline", "pubsub"):  # what they return is used as the client is
            return lambda *args, **options: Awaited(method(*args, **options))
        if name == "multi":  # not awaited in asyncio either
            return method

        async def call(*args, **options):
            return method(*args, **options)

        return call


def equal(actual, expected):
    assert type(actual) is type(expected) and actual == expected, f"{actual!r} is not {expected!r}"


def between(actual, low, high):
    assert low <= actual <= high, f"{actual!r} is not between {low} and {high}"


async def raises(kind, text, pending):
    try:
        await pending
    except kind as error:
        assert text in str(error), f"{error} does not say {text!r}"
        return
    raise AssertionError(f"nothing was raised, expected {text!r}")


async def run_checks(client, checks):
    """Runs each check on an empty server; prints what fails and returns how many did."""
    failures = 0
    for name, check in checks.items():
        await client.execute_command("FLUSHALL")
        try:
            await check(client)
        except Exception:
            failures += 1
            print(f"{name}:\n{traceback.format_exc()}")
    print(f"{len(checks) - failures} passed, {failures} failed")
    return failures
