"""What the scripts of this folder share: the port on the command line, and a line of JSON for each check."""

import argparse
import json
import traceback


def port():
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    return parser.parse_args().port


def report(name, error=None):
    """Prints the result of a check: its name, and what went wrong or null."""
    print(json.dumps({"check": name, "error": error}), flush=True)


async def run_check(name, check):
    """Awaits a check and reports what it raises."""
    try:
        await check
    except Exception:
        report(name, traceback.format_exc())
    else:
        report(name)


def equal(actual, expected):
    assert actual == expected, f"{actual!r} is not {expected!r}"
