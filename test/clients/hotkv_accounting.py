"""Checks of the client's methods for tokens, money, observation and alerts."""

import hotkv

from checks import equal, raises

PRICE_FIELDS = ("input", "output", "cache_read", "cache_write_5m", "cache_write_1h")


async def check_llmstats_bucket(c):
    equal(await c.llmstats_bucket("b"), True)
    equal(await c.llmstats_bucket("b"), True)
    equal(await c.llmstats_list(), [b"b"])


async def check_llmstats_record(c):
    await raises(hotkv.ResponseError, "not found", c.llmstats_record("b", 1, 1, 0, 0.5, 1))
    await c.llmstats_bucket("b")
    equal(await c.llmstats_record("b", 10, 5, 2, 0.25, 100), True)
    equal(await c.llmstats_record("b", 1, 1, 0, 0, 300, error=True, model="nobody", cache_write_5m_tokens=7), True)
    stats = await c.llmstats_get("b")
    equal((stats["requests"], stats["errors"], stats["unpriced_requests"]), (2, 1, 1))
    equal((stats["cost_usd"], stats["avg_latency_ms"], stats["cache_write_5m_tokens"]), (0.25, 200.0, 7))


async def check_llmstats_get(c):
    await c.llmstats_bucket("b")
    await c.llmstats_record("b", 10, 5, 2, 0.25, 100)
    stats = await c.llmstats_get("b")
    equal((stats["input_tokens"], stats["output_tokens"], stats["cached_tokens"]), (10, 5, 2))
    equal((stats["requests_1m"], stats["tokens_1m"], stats["cost_usd_1m"]), (1, 17, 0.25))


async def check_llmstats_reset(c):
    equal(await c.llmstats_reset("b"), False)
    await c.llmstats_bucket("b")
    await c.llmstats_record("b", 10, 5, 2, 0.25, 100)
    equal(await c.llmstats_reset("b"), True)
    equal((await c.llmstats_get("b"))["requests"], 0)


async def check_llmstats_drop(c):
    await c.llmstats_bucket("b")
    equal(await c.llmstats_drop("b"), True)
    equal(await c.llmstats_drop("b"), False)


async def check_llmstats_list(c):
    equal(await c.llmstats_list(), [])
    await c.llmstats_bucket("b")
    equal(await c.llmstats_list(), [b"b"])


async def check_llmstats_price_set(c):
    equal(await c.llmstats_price_set("m", "3", "15", cache_read_usd_per_mtok="0.5"), True)
    price = await c.llmstats_price_get("m")
    equal([getattr(price, f"{name}_usd_per_mtok") for name in PRICE_FIELDS], [3.0, 15.0, 0.5, 3.75, 6.0])


async def check_llmstats_price_get(c):
    price = await c.llmstats_price_get("nobody")
    equal((price.model, price.source, price.priced, price.retired), ("nobody", "unpriced", False, False))
    equal([getattr(price, f"{name}_usd_per_mtok") for name in PRICE_FIELDS], [0.0] * 5)


async def check_llmstats_price_list(c):
    await c.llmstats_price_set("m", "3", "15")
    prices = {price.model: price.source for price in await c.llmstats_price_list()}
    equal((prices["m"], prices["gpt-4o"]), ("custom", "default"))


async def check_llmstats_price_del(c):
    await c.llmstats_price_set("m", "3", "15")
    equal(await c.llmstats_price_del("m"), True)
    equal(await c.llmstats_price_del("m"), False)


async def check_llmbudget_set(c):
    equal(await c.llmbudget_set("b", 100, 0.5, 60), True)
    equal(await c.llmbudget_list(), [b"b"])


async def check_llmbudget_consume(c):
    await c.llmbudget_set("b", 100, 0.5, 60)
    equal(await c.llmbudget_consume("b", 100, 0.25), True)
    equal(await c.llmbudget_consume("b", 1, 0), False)
    await c.llmstats_price_set("m", "10", "20")
    await c.llmbudget_set("priced", 0, "0.00003", 60)
    usage = hotkv.TokenUsage(model="m", input_tokens=1, output_tokens=1)
    equal(await c.llmbudget_consume("priced", usage=usage), True)
    equal(await c.llmbudget_consume("priced", usage=usage), False)


async def check_llmbudget_status(c):
    await c.llmbudget_set("b", 100, 0.5, 60)
    await c.llmbudget_consume("b", 10, 0.125)
    status = await c.llmbudget_status("b")
    equal((status["tokens_used"], status["token_limit"]), (10, 100))
    equal((status["cost_used_usd"], status["cost_limit_usd"]), (0.125, 0.5))
    equal((status["window_seconds"], status["window_remaining_s"], status["unpriced_requests"]), (60, 60, 0))


async def check_llmbudget_reset(c):
    equal(await c.llmbudget_reset("b"), False)
    await c.llmbudget_set("b", 100, 0.5, 60)
    await c.llmbudget_consume("b", 100, 0)
    equal(await c.llmbudget_reset("b"), True)
    equal(await c.llmbudget_consume("b", 100, 0), True)


async def check_llmbudget_drop(c):
    await c.llmbudget_set("b", 100, 0.5, 60)
    equal(await c.llmbudget_drop("b"), True)
    equal(await c.llmbudget_drop("b"), False)


async def check_llmbudget_list(c):
    equal(await c.llmbudget_list(), [])
    await c.llmbudget_set("b", 100, 0.5, 60)
    equal(await c.llmbudget_list(), [b"b"])


async def check_observe_info(c):
    info = await c.observe_info()
    equal(info["enterprise_features"], "full")
    equal(info["connected_clients"] >= 1, True)


async def check_observe_metrics(c):
    await c.set("k", "1")
    metrics = await c.observe_metrics()
    equal((metrics["keys"], metrics["keys_with_expiry"]), (1, 0))


async def check_alerts_info(c):
    await c.alerts_seturl("")
    info = await c.alerts_info()
    equal((info["webhook_url"], info["enabled"], info["flag_enabled"]), ("", False, False))
    equal("slack" in info["supported_providers"], True)


async def check_alerts_test(c):
    await c.alerts_seturl("http://127.0.0.1:1/hook")
    accepted = (await c.alerts_info())["alerts_accepted"]
    equal(await c.alerts_test(), True)
    equal(await c.alerts_test("critical", "fire"), True)
    equal(await c.alerts_test(message="smoke"), True)
    equal((await c.alerts_info())["alerts_accepted"], accepted + 3)


async def check_alerts_seturl(c):
    equal(await c.alerts_seturl("https://hooks.slack.com/x"), True)
    info = await c.alerts_info()
    equal((info["webhook_url"], info["provider"], info["enabled"]), ("https://hooks.slack.com/x", "slack", True))
    equal(await c.alerts_seturl(""), True)
    equal((await c.alerts_info())["enabled"], False)


async def check_alerts_setseverity(c):
    equal(await c.alerts_setseverity("warning"), True)
    equal((await c.alerts_info())["min_severity"], "warning")
    await raises(hotkv.ResponseError, "info, warning, critical", c.alerts_setseverity("loud"))
    equal(await c.alerts_setseverity("info"), True)


async def check_alerts_enable(c):
    await c.alerts_seturl("http://127.0.0.1:1/hook")
    await c.alerts_disable()
    equal(await c.alerts_enable(), True)
    equal((await c.alerts_info())["enabled"], True)


async def check_alerts_disable(c):
    await c.alerts_seturl("http://127.0.0.1:1/hook")
    equal(await c.alerts_disable(), True)
    info = await c.alerts_info()
    equal((info["enabled"], info["webhook_url"]), (False, "http://127.0.0.1:1/hook"))
