"""Checks of the client's methods for caches: by vector, by prompt, and the four families of one shape."""

import hotkv

from checks import equal, raises

USAGE = hotkv.TokenUsage("own", input_tokens=1000, output_tokens=200, cache_read_tokens=30, cache_write_5m_tokens=4)
SAVED_ONCE = {
    "usage_saved_requests": 1,
    "usage_saved_input_tokens": 1000,
    "usage_saved_output_tokens": 200,
    "usage_saved_cache_read_tokens": 30,
    "usage_saved_cache_write_tokens": 4,
    "usage_saved_cost_usd": 0.006024,
}


async def set_price(c):
    await c.llmstats_price_set("own", 3, 15)


# --- by vector -----------------------------------------------------------------


async def semantic_cache(c):
    equal(await c.scache_create("s", 2, threshold=0.7), True)
    equal(await c.scache_set("s", "east", "E", [1, 0]), True)
    equal(await c.scache_set("s", "north", "N", [0, 1e-7], ttl=100, usage=USAGE), True)


async def check_scache_create(c):
    await semantic_cache(c)
    equal(await c.scache_create("t", 2, metric="l2", threshold=0.5, ttl=60), True)
    await raises(hotkv.ResponseError, "already exists", c.scache_create("s", 2))


async def check_scache_set(c):
    await semantic_cache(c)
    equal(await c.scache_set("s", "east", "past", [1, 0], pxat=1), True)
    equal(await c.scache_get("s", [1, 0]), None)
    await raises(hotkv.ResponseError, "3 components", c.scache_set("s", "up", "U", [0, 0, 1]))
    await raises(hotkv.ResponseError, "not found", c.scache_set("none", "q", "R", [1, 0]))


async def check_scache_get(c):
    equal(await c.scache_get("s", [1, 0]), None)
    await semantic_cache(c)
    equal(await c.scache_get("s", [5, 0]), (b"E", 1.0))
    equal(await c.scache_get("s", [3, 4]), (b"N", 0.8))
    equal(await c.scache_get("s", [3, 4], threshold=0.9), None)


async def check_scache_stats(c):
    await semantic_cache(c)
    await set_price(c)
    await c.scache_get("s", [0, 1])
    await c.scache_get("s", [-1, 0])
    counted = {"entries": 2, "hits": 1, "misses": 1, "hit_rate": 0.5, "p50_us": 0}
    equal(await c.scache_stats("s"), {**counted, **SAVED_ONCE})
    await raises(hotkv.ResponseError, "not found", c.scache_stats("none"))


async def check_scache_flush(c):
    equal(await c.scache_flush("s"), False)
    await semantic_cache(c)
    equal(await c.scache_flush("s"), True)
    equal(await c.scache_get("s", [1, 0]), None)


async def check_scache_drop(c):
    await semantic_cache(c)
    equal(await c.scache_drop("s"), True)
    equal(await c.scache_drop("s"), False)


async def check_scache_list(c):
    equal(await c.scache_list(), [])
    await semantic_cache(c)
    equal(await c.scache_list(), [b"s"])


async def check_scache_threshold(c):
    await semantic_cache(c)
    equal(await c.scache_threshold("s", 0.9), True)
    equal(await c.scache_get("s", [3, 4]), None)


# --- by prompt -----------------------------------------------------------------


async def prompt_cache(c):
    equal(await c.pcache_create("p", max_entries=2, ttl=100, cost_per_hit=0.1), True)
    equal(await c.pcache_set("p", "q", "R", meta="note", usage=USAGE), True)


async def check_pcache_create(c):
    await prompt_cache(c)
    await raises(hotkv.ResponseError, "already exists", c.pcache_create("p"))


async def check_pcache_set(c):
    await prompt_cache(c)
    equal(await c.pcache_set("p", "q", "S", ttl=5), True)
    equal(await c.pcache_get("p", "q"), b"S")
    equal(await c.pcache_set("p", "q", "past", pxat=1), True)
    equal(await c.pcache_get("p", "q"), None)


async def check_pcache_get(c):
    equal(await c.pcache_get("p", "q"), None)
    await prompt_cache(c)
    equal(await c.pcache_get("p", "q"), b"R")


async def check_pcache_getex(c):
    await prompt_cache(c)
    equal(await c.pcache_getex("p", "q"), (b"R", b"note", 1))
    equal(await c.pcache_getex("p", "q"), (b"R", b"note", 2))
    equal(await c.pcache_getex("p", "other"), None)


async def check_pcache_del(c):
    await prompt_cache(c)
    equal(await c.pcache_del("p", "q"), True)
    equal(await c.pcache_del("p", "q"), False)


async def check_pcache_stats(c):
    await prompt_cache(c)
    await set_price(c)
    await c.pcache_get("p", "q")
    await c.pcache_get("p", "other")
    await c.pcache_set("p", "r", "S")
    await c.pcache_set("p", "s", "S")
    counted = {"entries": 2, "hits": 1, "misses": 1, "evictions": 1, "hit_rate": 0.5, "p50_us": 0}
    equal(await c.pcache_stats("p"), {**counted, "cost_saved_usd": 0.1, **SAVED_ONCE})
    await raises(hotkv.ResponseError, "not found", c.pcache_stats("none"))


async def check_pcache_flush(c):
    await prompt_cache(c)
    equal(await c.pcache_flush("p"), 1)
    equal(await c.pcache_flush("p"), 0)


async def check_pcache_drop(c):
    await prompt_cache(c)
    equal(await c.pcache_drop("p"), True)
    equal(await c.pcache_drop("p"), False)


async def check_pcache_list(c):
    await prompt_cache(c)
    equal(await c.pcache_list(), [b"p"])


async def check_pcache_config_set(c):
    await prompt_cache(c)
    equal(await c.pcache_config_set("p", "cost_per_hit", 0.25), True)
    equal(await c.pcache_config_set("p", "ttl", 5), True)
    equal(await c.pcache_config_set("p", "max_entries", 1), True)
    await c.pcache_set("p", "r", "S")
    equal(await c.pcache_get("p", "q"), None)
    await raises(hotkv.ResponseError, "must be one of", c.pcache_config_set("p", "size", 1))


# --- the four families of one shape ----------------------------------------------


def family_checks(family):
    """The checks of a family, by the names under which they are looked for."""

    def method(c, name):
        return getattr(c, f"{family}_{name}")

    async def filled(c):
        equal(await method(c, "create")("n", max_entries=2, ttl=100), True)
        equal(await method(c, "set")("n", "k", b"\x00\xff", meta="note", usage=USAGE), True)

    async def create(c):
        await filled(c)
        await raises(hotkv.ResponseError, "already exists", method(c, "create")("n"))

    async def cache_set(c):
        await filled(c)
        equal(await method(c, "set")("n", "k", "again", ttl=5), True)
        equal(await method(c, "get")("n", "k"), b"again")
        equal(await method(c, "set")("n", "k", "past", pxat=1), True)
        equal(await method(c, "get")("n", "k"), None)

    async def get(c):
        equal(await method(c, "get")("n", "k"), None)
        await filled(c)
        equal(await method(c, "get")("n", "k"), b"\x00\xff")

    async def delete(c):
        await filled(c)
        equal(await method(c, "del")("n", "k"), True)
        equal(await method(c, "del")("n", "k"), False)

    async def stats(c):
        await filled(c)
        await set_price(c)
        await method(c, "get")("n", "k")
        await method(c, "get")("n", "other")
        fields = await method(c, "stats")("n")
        assert fields.pop("memory_bytes") > 0
        equal(fields, {"entries": 1, "hits": 1, "misses": 1, "evictions": 0, **SAVED_ONCE})

    async def flush(c):
        await filled(c)
        equal(await method(c, "flush")("n"), 1)
        equal(await method(c, "flush")("n"), 0)

    async def drop(c):
        await filled(c)
        equal(await method(c, "drop")("n"), True)
        equal(await method(c, "drop")("n"), False)

    async def names(c):
        await filled(c)
        equal(await method(c, "list")(), [b"n"])

    checks = {"create": create, "set": cache_set, "get": get, "del": delete}
    checks |= {"stats": stats, "flush": flush, "drop": drop, "list": names}
    return {f"check_{family}_{name}": check for name, check in checks.items()}


KEYED_FAMILIES = ("toolcache", "ncache", "guard", "rerank")
for keyed_family in KEYED_FAMILIES:
    globals().update(family_checks(keyed_family))
