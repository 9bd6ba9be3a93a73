"""Checks of the client's methods for what only HotKV has: tags, nanoseconds, hot keys, vectors, limiters, series, features."""

import hotkv

from checks import between, equal, raises

NS = 1_000_000_000


async def check_tag_set(c):
    await raises(hotkv.ResponseError, "no such key", c.tag_set("k", "a"))
    await c.set("k", "1")
    equal(await c.tag_set("k", "a", "b"), 2)
    equal(await c.tag_set("k", "a", "c"), 1)


async def check_tag_rem(c):
    await c.set("k", "1")
    await c.tag_set("k", "a")
    equal(await c.tag_rem("k", "a", "b"), 1)


async def check_tag_get(c):
    await c.set("k", "1")
    await c.tag_set("k", "a", "b")
    equal(await c.tag_get("k"), [b"a", b"b"])


async def check_tag_members(c):
    await c.mset({"k": "1", "l": "2"})
    await c.tag_set("k", "a")
    await c.tag_set("l", "a")
    equal(sorted(await c.tag_members("a")), [b"k", b"l"])


async def check_tag_inter(c):
    await c.mset({"k": "1", "l": "2"})
    await c.tag_set("k", "a", "b")
    await c.tag_set("l", "a")
    equal(await c.tag_inter("a", "b"), [b"k"])


async def check_tag_count(c):
    await c.set("k", "1")
    await c.tag_set("k", "a", "b")
    equal(await c.tag_count("k"), 2)


async def check_tag_exists(c):
    await c.set("k", "1")
    await c.tag_set("k", "a")
    equal(await c.tag_exists("k", "a"), True)
    equal(await c.tag_exists("k", "b"), False)


async def check_nexpire(c):
    equal(await c.nexpire("k", 5), False)
    await c.set("k", "1")
    equal(await c.nexpire("k", 10 * NS + 1), True)
    between(await c.pttl("k"), 9_999, 10_000)


async def check_nttl(c):
    equal(await c.nttl("k"), -2)
    await c.set("k", "1")
    equal(await c.nttl("k"), -1)
    await c.nexpire("k", 1_500_001)
    equal(await c.nttl("k"), 1_500_001)


async def check_nexpireat(c):
    await c.set("k", "1")
    equal(await c.nexpireat("k", 4_000_000_000 * NS + 7), True)
    equal(await c.expiretime("k"), 4_000_000_000)


async def check_hotkeys_top(c):
    await c.set("a", "1")
    await c.set("b", "1")
    await c.get("a")
    equal(await c.hotkeys_top(), [(b"a", 2), (b"b", 1)])
    equal(await c.hotkeys_top(1), [(b"a", 2)])


async def check_hotkeys_reset(c):
    await c.set("a", "1")
    equal(await c.hotkeys_reset(), True)
    equal(await c.hotkeys_top(), [])


async def vectors(c):
    equal(await c.vsim_createindex("i", 2, metric="l2", m=8, ef_construction=9, ef_search=10), True)
    equal(await c.vsim_set("i", "a", [3.0, 4.0]), True)
    equal(await c.vsim_set("i", "b", [0.0, 1.0]), True)


async def check_vsim_createindex(c):
    await vectors(c)
    await raises(hotkv.ResponseError, "already exists", c.vsim_createindex("i", 2))


async def check_vsim_dropindex(c):
    await vectors(c)
    equal(await c.vsim_dropindex("i"), True)
    equal(await c.vsim_info(), [])


async def check_vsim_set(c):
    await vectors(c)
    equal(await c.vsim_set("i", "a", [1.0, 1.0]), False)


async def check_vsim_get(c):
    await vectors(c)
    equal(await c.vsim_get("i", "a"), [3.0, 4.0])
    equal(await c.vsim_get("i", "x"), None)


async def check_vsim_del(c):
    await vectors(c)
    equal(await c.vsim_del("i", "a"), True)
    equal(await c.vsim_del("i", "a"), False)


async def check_vsim_search(c):
    await vectors(c)
    equal(await c.vsim_search("i", 5, [0.0, 0.0]), [(b"b", 1.0), (b"a", 5.0)])
    await c.set("a", "1")
    await c.tag_set("a", "red")
    equal(await c.vsim_search("i", 5, [0.0, 0.0], filter_tags=["red"], ef=10), [(b"a", 5.0)])


async def check_vsim_info(c):
    await vectors(c)
    equal(await c.vsim_info(), [b"i"])
    info = await c.vsim_info("i")
    equal([info[name] for name in ("name", "metric", "dims", "count", "m")], ["i", "l2", 2, 2, 8])


async def check_vsim_save(c):
    equal(await c.vsim_save("s", b"\x00\xff"), 2)


async def check_vsim_load(c):
    equal(await c.vsim_load("s"), None)
    await c.vsim_save("s", b"\x00\xff")
    equal(await c.vsim_load("s"), b"\x00\xff")


async def check_vsim_list(c):
    await c.vsim_save("s", b"x")
    equal(await c.vsim_list(), [b"s"])


async def check_vsim_drop(c):
    await c.vsim_save("s", b"x")
    equal(await c.vsim_drop("s"), True)
    equal(await c.vsim_drop("s"), False)


async def check_ratelimit_create(c):
    equal(await c.ratelimit_create("r", 2, 1000), True)
    equal(await c.ratelimit_create("t", 2, 1000, algo="token_bucket", refill=0.5), True)
    equal(await c.ratelimit_create("l", 2, 1000, algo="leaky_bucket", drain=0.5), True)


async def check_ratelimit_check(c):
    await c.ratelimit_create("r", 2, 1000)
    equal(tuple(await c.ratelimit_check("r", "k", cost=2)), (True, 0, 0, 2, 2))
    equal(tuple(await c.ratelimit_check("r", "k")), (False, 0, 1000, 2, 2))


async def check_ratelimit_peek(c):
    await c.ratelimit_create("r", 2, 1000)
    equal(tuple(await c.ratelimit_peek("r", "k")), (True, 2, 0, 2, 0))


async def check_ratelimit_reset(c):
    await c.ratelimit_create("r", 2, 1000)
    equal(await c.ratelimit_reset("r", "k"), True)


async def check_ratelimit_stats(c):
    await c.ratelimit_create("r", 2, 1000)
    await c.ratelimit_check("r", "k")
    stats = await c.ratelimit_stats("r")
    equal([stats[name] for name in ("name", "algo", "limit", "allowed")], ["r", "sliding_window", 2, 1])


async def check_ratelimit_drop(c):
    await c.ratelimit_create("r", 2, 1000)
    equal(await c.ratelimit_drop("r"), True)


async def check_ratelimit_list(c):
    await c.ratelimit_create("r", 2, 1000)
    equal(await c.ratelimit_list(), [b"r"])


async def series(c):
    equal(await c.ts_create("t", retention_ms=0, labels={"city": "Bonn"}), True)
    equal(await c.ts_add("t", 1.5, 1000), 1000)
    equal(await c.ts_add("t", 2.5, 1001), 1001)


check_ts_create = series
check_ts_add = series


async def check_ts_range(c):
    await series(c)
    equal(await c.ts_range("t", "-", "+"), [(1000, 1.5), (1001, 2.5)])
    equal(await c.ts_range("t", 0, 2000, count=1), [(1000, 1.5)])


async def check_ts_agg(c):
    await series(c)
    equal(await c.ts_agg("t", "-", "+", 1000, "avg"), [(1000, 2.0)])


async def check_ts_info(c):
    await series(c)
    info = await c.ts_info("t")
    equal([info["key"], info["samples"], info["lastValue"], info["labels"]], ["t", 2, 2.5, [("city", b"Bonn")]])


async def check_ts_delete(c):
    await series(c)
    equal(await c.ts_delete("t"), True)


async def check_ts_retention(c):
    await series(c)
    equal(await c.ts_retention("t", 1), True)
    equal(await c.ts_range("t", "-", "+"), [(1001, 2.5)])


async def check_ts_downsample(c):
    await series(c)
    await c.ts_create("d")
    equal(await c.ts_downsample("t", "d", "sum", 1000), True)
    await c.ts_add("t", 3.0, 1500)
    equal(await c.ts_range("d", "-", "+"), [(1000, 7.0)])


async def check_ts_list(c):
    await series(c)
    equal(await c.ts_list(), [b"t"])
    equal(await c.ts_list(label=("city", "Rome")), [])


async def features(c):
    equal(await c.feature_create("g", "about", {"age": "int64", "name": "string"}), True)
    equal(await c.feature_set("g", "bob", {"age": 30, "name": "Bob"}), True)


check_feature_create = features
check_feature_set = features


async def check_feature_setat(c):
    await features(c)
    equal(await c.feature_setat("g", "ann", 1000, {"age": 5}), True)
    equal((await c.feature_get("g", "ann"))[1], 1000)


async def check_feature_get(c):
    await features(c)
    equal((await c.feature_get("g", "bob"))[0], {b"age": b"30", b"name": b"Bob"})
    equal((await c.feature_get("g", "bob", ["age"]))[0], {b"age": b"30"})
    equal(await c.feature_get("g", "x"), None)


async def check_feature_batch(c):
    await features(c)
    found, missing = await c.feature_batch("g", ["bob", "x"], features=["age"])
    equal(found[0], {b"age": b"30"})
    equal(missing, None)


async def check_feature_schema(c):
    await features(c)
    equal(await c.feature_schema("g"), [("age", "int64"), ("name", "string")])


async def check_feature_list(c):
    await features(c)
    equal(await c.feature_list(), [b"g"])


async def check_feature_drop(c):
    await features(c)
    equal(await c.feature_drop("g"), True)


async def check_feature_stats(c):
    await features(c)
    stats = await c.feature_stats("g")
    equal([stats["entities"], stats["totalWrites"]], [1, 1])
