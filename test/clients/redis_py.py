"""Runs redis-py against a server, a check a family of commands, and asserts on every value.

    redis_py.py --port P --mode sync|asyncio --resp 2|3

Exit status 0: all checks passed. The checks hold on Redis 8.2.3 as well.
"""

import argparse
import asyncio
import sys

import redis
import redis.asyncio
from redis.cache import CacheConfig

from checks import Awaited, between, equal, raises, run_checks


async def check_strings(c):
    equal(await c.set("k", "v", ex=100, get=True), None)
    equal(await c.ttl("k"), 100)
    equal(await c.mset({"a": "1", "b": "2"}), True)
    equal(await c.mget("a", "b", "missing"), ["1", "2", None])
    equal(await c.incrbyfloat("a", 0.5), 1.5)
    equal(await c.setbit("bits", 7, 1), 0)
    equal(await c.bitcount("bits"), 1)
    equal(await c.getrange("k", 0, -1), "v")
    equal(await c.getdel("k"), "v")


async def check_lists(c):
    equal(await c.rpush("l", "a", "b", "c"), 3)
    equal(await c.lrange("l", 0, -1), ["a", "b", "c"])
    equal(await c.lpos("l", "b"), 1)
    equal(await c.linsert("l", "BEFORE", "b", "x"), 4)
    equal(await c.lmove("l", "m", "LEFT", "RIGHT"), "a")
    equal(await c.lmpop(2, "none", "l", direction="LEFT", count=2), ["l", ["x", "b"]])
    equal(await c.ltrim("l", 1, 0), True)
    equal(await c.exists("l"), 0)


async def check_sets(c):
    equal(await c.sadd("s", "a", "b", "c"), 3)
    equal(await c.sadd("t", "b", "d"), 2)
    equal(set(await c.smembers("s")), {"a", "b", "c"})
    equal(list(await c.smismember("s", ["a", "z"])), [1, 0])
    equal(set(await c.sdiff("s", "t")), {"a", "c"})
    equal(await c.sinterstore("u", "s", "t"), 1)
    equal(await c.sintercard(2, ["s", "t"]), 1)
    equal(await c.spop("u"), "b")
    equal(sorted((await c.sscan("s"))[1]), ["a", "b", "c"])


async def check_hashes(c):
    equal(await c.hset("h", mapping={"a": "1", "b": "2"}), 2)
    equal(await c.hgetall("h"), {"a": "1", "b": "2"})
    equal(await c.hincrby("h", "a", 4), 5)
    equal(await c.hmget("h", "a", "missing"), ["5", None])
    equal(await c.hscan("h"), (0, {"a": "5", "b": "2"}))
    equal(await c.hexpire("h", 100, "a", "missing"), [1, -2])
    equal(await c.httl("h", "a", "b", "missing"), [100, -1, -2])
    equal(await c.hpersist("h", "a"), [1])
    equal(await c.hgetex("h", "a", ex=50), ["5"])
    equal(await c.hsetex("h", mapping={"c": "3"}, px=60_000), 1)
    between((await c.hpttl("h", "c"))[0], 59_000, 60_000)
    equal(await c.hgetdel("h", "c"), ["3"])


async def check_sorted_sets(c):
    equal(await c.zadd("z", {"a": 1, "b": 2, "c": 3.5}), 3)
    equal(await c.zadd("z", {"a": 5}, gt=True, ch=True), 1)
    equal(await c.zscore("z", "c"), 3.5)
    equal(await c.zmscore("z", ["b", "missing"]), [2.0, None])
    equal([list(pair) for pair in await c.zrange("z", 0, -1, withscores=True)], [["b", 2.0], ["c", 3.5], ["a", 5.0]])
    equal(await c.zrange("z", "(2", "+inf", byscore=True), ["c", "a"])
    equal(await c.zrank("z", "a"), 2)
    equal(await c.zincrby("z", 0.5, "b"), 2.5)
    equal(await c.zunionstore("u", {"z": 2}), 3)
    equal(await c.zscore("u", "b"), 5.0)
    equal(await c.zremrangebyrank("z", 0, 0), 1)
    equal([list(pair) for pair in await c.zpopmax("z", 1)], [["a", 5.0]])


async def check_streams(c):
    equal(await c.xadd("x", {"f": "1"}, id="1-1"), "1-1")
    equal(await c.xadd("x", {"f": "2"}, id="2-1"), "2-1")
    equal([list(entry) for entry in await c.xrange("x")], [["1-1", {"f": "1"}], ["2-1", {"f": "2"}]])
    equal(await c.xgroup_create("x", "g", id="0"), True)
    equal(ids(await c.xreadgroup("g", "alice", {"x": ">"}, count=1)), ["1-1"])
    equal(ids(await c.xreadgroup("g", "bob", {"x": ">"})), ["2-1"])
    pending = await c.xpending("x", "g")
    equal((pending["pending"], pending["min"], pending["max"]), (2, "1-1", "2-1"))
    equal([entry["consumer"] for entry in await c.xpending_range("x", "g", "-", "+", 10)], ["alice", "bob"])
    equal([entry[0] for entry in await c.xclaim("x", "g", "bob", 0, ["1-1"])], ["1-1"])
    equal(await c.xack("x", "g", "1-1", "2-1"), 2)
    equal((await c.xinfo_stream("x"))["length"], 2)
    equal((await c.xinfo_groups("x"))[0]["lag"], 0)
    equal(ids(await c.xread({"x": "1-1"})), ["2-1"])
    equal(await c.xtrim("x", maxlen=1, approximate=False), 1)


def ids(streams):
    """The ids of one stream's entries in a reply of XREAD: a dict in RESP3, a list of pairs in RESP2."""
    entries = streams["x"] if isinstance(streams, dict) else streams[0][1]
    if isinstance(streams, dict):
        entries = entries[0]
    return [entry[0] for entry in entries]


async def check_geo(c):
    equal(await c.geoadd("g", [13.361389, 38.115556, "Palermo", 15.087269, 37.502669, "Catania"]), 2)
    equal(float(await c.geodist("g", "Palermo", "Catania", "km")), 166.2742)
    found = await c.geosearch("g", longitude=15, latitude=37, radius=200, unit="km", sort="ASC", withdist=True)
    equal([[name, round(float(distance), 4)] for name, distance in found], [["Catania", 56.4413], ["Palermo", 190.4424]])
    equal(await c.geohash("g", "Palermo"), ["sqc8b49rny0"])


async def check_hyperloglogs(c):
    equal(await c.pfadd("h1", "a", "b", "c"), 1)
    equal(await c.pfadd("h2", "c", "d"), 1)
    equal(await c.pfcount("h1", "h2"), 4)
    equal(await c.pfmerge("h", "h1", "h2"), True)
    equal(await c.pfcount("h"), 4)


async def check_scripts(c):
    equal(await c.eval("return {KEYS[1], ARGV[1], 7}", 1, "k", "v"), ["k", "v", 7])
    sha = await c.script_load("return redis.call('INCR', KEYS[1])")
    equal(await c.evalsha(sha, 1, "n"), 1)
    equal(await c.script_exists(sha, "0" * 40), [True, False])
    library = "#!lua name=lib\nredis.register_function('twice', function(keys, args) return args[1] * 2 end)"
    equal(await c.function_load(library, replace=True), "lib")
    equal(await c.fcall("twice", 0, 21), 42)
    equal(await c.function_delete("lib"), True)
    await raises(redis.exceptions.NoScriptError, "No matching script", c.evalsha("0" * 40, 0))


async def check_transactions(c):
    pipe = c.pipeline(transaction=True)
    await pipe.set("a", "1")
    await pipe.incr("a")
    equal(await pipe.execute(), [True, 2])
    pipe = c.pipeline()
    await pipe.watch("a")
    await c.set("a", "9")
    pipe.multi()
    await pipe.get("a")
    await raises(redis.exceptions.WatchError, "Watched variable changed", pipe.execute())


async def check_pubsub(c):
    channel = c.pubsub()
    await channel.subscribe("news")
    await channel.psubscribe("w*")
    for _ in range(2):
        assert (await channel.get_message(timeout=5))["type"] in ("subscribe", "psubscribe")
    equal(await c.publish("news", "1"), 1)
    equal(await c.publish("weather", "2"), 1)
    first, second = await channel.get_message(timeout=5), await channel.get_message(timeout=5)
    equal((first["type"], first["channel"], first["data"]), ("message", "news", "1"))
    equal((second["type"], second["pattern"], second["channel"], second["data"]), ("pmessage", "w*", "weather", "2"))
    equal(await c.pubsub_numsub("news"), [("news", 1)])
    await (channel.close if isinstance(channel, Awaited) else channel.aclose)()


async def check_blocking(c):
    equal(await c.blpop(["q"], timeout=0.05), None)
    await c.rpush("q", "1", "2")
    equal(list(await c.blpop(["none", "q"], timeout=1)), ["q", "1"])
    equal(await c.blmove("q", "done", 1), "2")
    await c.zadd("z", {"a": 1})
    equal(list(await c.bzpopmin("z", timeout=1)), ["z", "a", 1.0])
    assert not await c.xread({"x": "$"}, block=20)


async def check_server(c):
    equal((await c.info("server"))["redis_version"].split(".")[0], "8")
    equal(await c.config_get("databases"), {"databases": "16"})
    equal(await c.client_setname("worker"), True)
    equal(await c.client_getname(), "worker")
    await c.set("k", "v")
    equal(await c.object("ENCODING", "k"), "embstr")
    equal(list(await c.scan(count=1_000)), [0, ["k"]])
    equal(await c.dbsize(), 1)


def check_client_side_cache(port):
    """The client keeps what it read until the server says that it changed; only the sync client in RESP3 can."""
    with (
        redis.Redis(port=port, protocol=3, decode_responses=True, cache_config=CacheConfig()) as cached,
        redis.Redis(port=port) as writer,
    ):
        writer.set("k", "1")
        equal(cached.get("k"), "1")
        assert cached.get_cache().size == 1, "nothing was kept"
        equal(cached.get("k"), "1")
        writer.set("k", "2")
        equal(cached.get("k"), "2")


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--mode", choices=("sync", "asyncio"), required=True)
    parser.add_argument("--resp", choices=("2", "3"), required=True)
    flags = parser.parse_args()

    options = {"port": flags.port, "protocol": int(flags.resp), "decode_responses": True}
    client = Awaited(redis.Redis(**options)) if flags.mode == "sync" else redis.asyncio.Redis(**options)
    checks = {name.removeprefix("check_"): check for name, check in globals().items() if is_family_check(name, check)}
    failures = await run_checks(client, checks)
    if flags.mode == "sync" and flags.resp == "3":
        check_client_side_cache(flags.port)
    await (client.close if flags.mode == "sync" else client.aclose)()
    return 1 if failures else 0


def is_family_check(name, value):
    return name.startswith("check_") and asyncio.iscoroutinefunction(value)


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
