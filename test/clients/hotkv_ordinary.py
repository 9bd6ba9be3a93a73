"""Checks of the client's methods for ordinary commands: calls, each with the value that Redis 8.2.3 gives.

The values were recorded with the same client from that server; what depends on time or on the server has a check by hand.
"""

from checks import between, equal

CALLS = {
    "hashes": {
        "hset": [
            (lambda c: c.hset("h", {"one": "1", "two": "2", "three": "3"}), 3),
            (lambda c: c.hset("h", {"one": "9", "four": "4"}), 1),
        ],
        "hsetnx": [
            (lambda c: c.hsetnx("h", "a", "1"), True),
            (lambda c: c.hsetnx("h", "a", "2"), False),
            (lambda c: c.hget("h", "a"), b"1"),
        ],
        "hget": [
            (lambda c: c.hset("h", {"one": "1", "two": "2", "three": "3"}), 3),
            (lambda c: c.hget("h", "two"), b"2"),
            (lambda c: c.hget("h", "nobody"), None),
            (lambda c: c.hget("nobody", "f"), None),
        ],
        "hmget": [
            (lambda c: c.hset("h", {"one": "1", "two": "2", "three": "3"}), 3),
            (lambda c: c.hmget("h", ["one", "nobody", "three"]), [b"1", None, b"3"]),
        ],
        "hgetall": [
            (lambda c: c.hgetall("nobody"), {}),
            (lambda c: c.hset("h", {"one": "1", "two": "2", "three": "3"}), 3),
            (lambda c: c.hgetall("h"), {b"one": b"1", b"two": b"2", b"three": b"3"}),
        ],
        "hdel": [
            (lambda c: c.hset("h", {"one": "1", "two": "2", "three": "3"}), 3),
            (lambda c: c.hdel("h", "one", "nobody"), 1),
            (lambda c: c.hdel("h", "two", "three"), 2),
            (lambda c: c.exists("h"), 0),
        ],
        "hexists": [
            (lambda c: c.hset("h", {"one": "1", "two": "2", "three": "3"}), 3),
            (lambda c: c.hexists("h", "one"), True),
            (lambda c: c.hexists("h", "nobody"), False),
        ],
        "hlen": [
            (lambda c: c.hlen("h"), 0),
            (lambda c: c.hset("h", {"one": "1", "two": "2", "three": "3"}), 3),
            (lambda c: c.hlen("h"), 3),
        ],
        "hkeys": [
            (lambda c: c.hset("h", {"one": "1", "two": "2", "three": "3"}), 3),
            (lambda c: c.hkeys("h"), [b"one", b"two", b"three"]),
        ],
        "hvals": [
            (lambda c: c.hset("h", {"one": "1", "two": "2", "three": "3"}), 3),
            (lambda c: c.hvals("h"), [b"1", b"2", b"3"]),
        ],
        "hincrby": [
            (lambda c: c.hincrby("h", "n", 5), 5),
            (lambda c: c.hincrby("h", "n", -7), -2),
        ],
        "hincrbyfloat": [
            (lambda c: c.hincrbyfloat("h", "n", 0.1), 0.1),
            (lambda c: c.hincrbyfloat("h", "n", 0.2), 0.3),
        ],
        "hstrlen": [
            (lambda c: c.hset("h", {"f": "grün"}), 1),
            (lambda c: c.hstrlen("h", "f"), 5),
            (lambda c: c.hstrlen("h", "nobody"), 0),
        ],
        "hrandfield": [
            (lambda c: c.hrandfield("h"), None),
            (lambda c: c.hset("h", {"f": "v"}), 1),
            (lambda c: c.hrandfield("h"), b"f"),
            (lambda c: c.hrandfield("h", -2), [b"f", b"f"]),
            (lambda c: c.hrandfield("h", 1, withvalues=True), [(b"f", b"v")]),
        ],
        "hexpire": [
            (lambda c: c.hset("h", {"one": "1", "two": "2", "three": "3"}), 3),
            (lambda c: c.hexpire("h", 100, ["one", "nobody"]), [1, -2]),
            (lambda c: c.hexpire("h", 100, ["one"], nx=True), [0]),
            (lambda c: c.hexpire("h", 0, ["two"]), [2]),
            (lambda c: c.httl("h", ["one", "two", "three"]), [100, -2, -1]),
        ],
        "hpexpire": [
            (lambda c: c.hset("h", {"one": "1", "two": "2", "three": "3"}), 3),
            (lambda c: c.hpexpire("h", 100000, ["one"]), [1]),
            (lambda c: c.hpexpire("h", 50000, ["one"], gt=True), [0]),
            (lambda c: c.httl("h", ["one"]), [100]),
        ],
        "hexpireat": [
            (lambda c: c.hset("h", {"one": "1", "two": "2", "three": "3"}), 3),
            (lambda c: c.hexpireat("h", 4000000000, ["one"]), [1]),
            (lambda c: c.hexpireat("h", 1, ["two"]), [2]),
            (lambda c: c.hexpiretime("h", ["one", "two"]), [4000000000, -2]),
        ],
        "hpexpireat": [
            (lambda c: c.hset("h", {"one": "1", "two": "2", "three": "3"}), 3),
            (lambda c: c.hpexpireat("h", 4000000000123, ["one"], xx=True), [0]),
            (lambda c: c.hpexpireat("h", 4000000000123, ["one"]), [1]),
            (lambda c: c.hpexpiretime("h", ["one"]), [4000000000123]),
        ],
        "hpersist": [
            (lambda c: c.hset("h", {"one": "1", "two": "2", "three": "3"}), 3),
            (lambda c: c.hexpire("h", 100, ["one"]), [1]),
            (lambda c: c.hpersist("h", ["one", "two", "nobody"]), [1, -1, -2]),
            (lambda c: c.httl("h", ["one"]), [-1]),
        ],
        "httl": [
            (lambda c: c.httl("nobody", ["f"]), [-2]),
            (lambda c: c.hset("h", {"one": "1", "two": "2", "three": "3"}), 3),
            (lambda c: c.httl("h", ["one", "nobody"]), [-1, -2]),
        ],
        "hpttl": [
            (lambda c: c.hset("h", {"one": "1", "two": "2", "three": "3"}), 3),
            (lambda c: c.hpttl("h", ["one", "nobody"]), [-1, -2]),
        ],
        "hexpiretime": [
            (lambda c: c.hset("h", {"one": "1", "two": "2", "three": "3"}), 3),
            (lambda c: c.hexpireat("h", 4000000000, ["one"]), [1]),
            (lambda c: c.hexpiretime("h", ["one", "two", "nobody"]), [4000000000, -1, -2]),
        ],
        "hpexpiretime": [
            (lambda c: c.hset("h", {"one": "1", "two": "2", "three": "3"}), 3),
            (lambda c: c.hpexpireat("h", 4000000000001, ["one"]), [1]),
            (lambda c: c.hpexpiretime("h", ["one", "two"]), [4000000000001, -1]),
        ],
    },
    "lists": {
        "lpush": [
            (lambda c: c.lpush("l", "a", "b"), 2),
            (lambda c: c.lrange("l", 0, -1), [b"b", b"a"]),
        ],
        "rpush": [
            (lambda c: c.rpush("l", "a", "b"), 2),
            (lambda c: c.lrange("l", 0, -1), [b"a", b"b"]),
        ],
        "lpushx": [
            (lambda c: c.lpushx("l", "a"), 0),
            (lambda c: c.rpush("l", "b"), 1),
            (lambda c: c.lpushx("l", "a", "z"), 3),
            (lambda c: c.lrange("l", 0, -1), [b"z", b"a", b"b"]),
        ],
        "rpushx": [
            (lambda c: c.rpushx("l", "a"), 0),
            (lambda c: c.rpush("l", "b"), 1),
            (lambda c: c.rpushx("l", "a", "z"), 3),
            (lambda c: c.lrange("l", 0, -1), [b"b", b"a", b"z"]),
        ],
        "lpop": [
            (lambda c: c.lpop("l"), None),
            (lambda c: c.rpush("l", "a", "b", "c", "b"), 4),
            (lambda c: c.lpop("l"), b"a"),
            (lambda c: c.lpop("l", 2), [b"b", b"c"]),
        ],
        "rpop": [
            (lambda c: c.rpop("l"), None),
            (lambda c: c.rpush("l", "a", "b", "c", "b"), 4),
            (lambda c: c.rpop("l"), b"b"),
            (lambda c: c.rpop("l", 2), [b"c", b"b"]),
        ],
        "llen": [
            (lambda c: c.llen("l"), 0),
            (lambda c: c.rpush("l", "a", "b", "c", "b"), 4),
            (lambda c: c.llen("l"), 4),
        ],
        "lrange": [
            (lambda c: c.rpush("l", "a", "b", "c", "b"), 4),
            (lambda c: c.lrange("l", 1, -2), [b"b", b"c"]),
            (lambda c: c.lrange("l", 5, 9), []),
        ],
        "lindex": [
            (lambda c: c.rpush("l", "a", "b", "c", "b"), 4),
            (lambda c: c.lindex("l", 0), b"a"),
            (lambda c: c.lindex("l", -1), b"b"),
            (lambda c: c.lindex("l", 9), None),
        ],
        "lset": [
            (lambda c: c.rpush("l", "a", "b", "c", "b"), 4),
            (lambda c: c.lset("l", 1, "new"), True),
            (lambda c: c.lindex("l", 1), b"new"),
        ],
        "linsert": [
            (lambda c: c.rpush("l", "a", "b", "c", "b"), 4),
            (lambda c: c.linsert("l", "before", "b", "x"), 5),
            (lambda c: c.linsert("l", "after", "nobody", "x"), -1),
            (lambda c: c.lrange("l", 0, -1), [b"a", b"x", b"b", b"c", b"b"]),
        ],
        "lrem": [
            (lambda c: c.rpush("l", "a", "b", "c", "b"), 4),
            (lambda c: c.lrem("l", 0, "b"), 2),
            (lambda c: c.lrange("l", 0, -1), [b"a", b"c"]),
        ],
        "ltrim": [
            (lambda c: c.rpush("l", "a", "b", "c", "b"), 4),
            (lambda c: c.ltrim("l", 1, 2), True),
            (lambda c: c.lrange("l", 0, -1), [b"b", b"c"]),
        ],
        "rpoplpush": [
            (lambda c: c.rpush("l", "a", "b", "c", "b"), 4),
            (lambda c: c.rpoplpush("l", "m"), b"b"),
            (lambda c: c.rpoplpush("nobody", "m"), None),
            (lambda c: c.lrange("m", 0, -1), [b"b"]),
        ],
        "lmove": [
            (lambda c: c.rpush("l", "a", "b", "c", "b"), 4),
            (lambda c: c.lmove("l", "m", "left", "right"), b"a"),
            (lambda c: c.lrange("m", 0, -1), [b"a"]),
        ],
        "lpos": [
            (lambda c: c.rpush("l", "a", "b", "c", "b"), 4),
            (lambda c: c.lpos("l", "b"), 1),
            (lambda c: c.lpos("l", "b", rank=2), 3),
            (lambda c: c.lpos("l", "b", count=0), [1, 3]),
            (lambda c: c.lpos("l", "nobody"), None),
        ],
        "blpop": [
            (lambda c: c.rpush("l", "a", "b", "c", "b"), 4),
            (lambda c: c.blpop(["nobody", "l"], 1), [b"l", b"a"]),
            (lambda c: c.blpop("nobody", 0.01), None),
        ],
        "brpop": [
            (lambda c: c.rpush("l", "a", "b", "c", "b"), 4),
            (lambda c: c.brpop(["l"], 1), [b"l", b"b"]),
            (lambda c: c.brpop("nobody", 0.01), None),
        ],
        "blmove": [
            (lambda c: c.rpush("l", "a", "b", "c", "b"), 4),
            (lambda c: c.blmove("l", "m", "right", "left", 1), b"b"),
            (lambda c: c.blmove("nobody", "m", "left", "left", 0.01), None),
        ],
    },
    "sets": {
        "sadd": [
            (lambda c: c.sadd("s", "a", "b", "a"), 2),
            (lambda c: c.sadd("s", "c"), 1),
        ],
        "srem": [
            (lambda c: c.sadd("s", "a", "b"), 2),
            (lambda c: c.srem("s", "a", "nobody"), 1),
        ],
        "sismember": [
            (lambda c: c.sadd("s", "a"), 1),
            (lambda c: c.sismember("s", "a"), True),
            (lambda c: c.sismember("s", "b"), False),
        ],
        "smismember": [
            (lambda c: c.sadd("s", "a"), 1),
            (lambda c: c.smismember("s", ["a", "b"]), [True, False]),
        ],
        "smembers": [
            (lambda c: c.sadd("s", "a", "b"), 2),
            (lambda c: c.smembers("s"), {b"a", b"b"}),
            (lambda c: c.smembers("nobody"), set()),
        ],
        "scard": [
            (lambda c: c.sadd("s", "a", "b"), 2),
            (lambda c: c.scard("s"), 2),
        ],
        "spop": [
            (lambda c: c.spop("s"), None),
            (lambda c: c.sadd("s", "a"), 1),
            (lambda c: c.spop("s"), b"a"),
            (lambda c: c.sadd("s", "a"), 1),
            (lambda c: c.spop("s", 5), {b"a"}),
        ],
        "srandmember": [
            (lambda c: c.srandmember("s"), None),
            (lambda c: c.sadd("s", "a"), 1),
            (lambda c: c.srandmember("s"), b"a"),
            (lambda c: c.srandmember("s", -2), [b"a", b"a"]),
        ],
        "smove": [
            (lambda c: c.sadd("s", "a"), 1),
            (lambda c: c.smove("s", "t", "a"), True),
            (lambda c: c.smove("s", "t", "a"), False),
            (lambda c: c.smembers("t"), {b"a"}),
        ],
        "sunion": [
            (lambda c: c.sadd("s", "a", "b"), 2),
            (lambda c: c.sadd("t", "b", "c"), 2),
            (lambda c: c.sunion("s", "t"), {b"a", b"b", b"c"}),
        ],
        "sunionstore": [
            (lambda c: c.sadd("s", "a", "b"), 2),
            (lambda c: c.sadd("t", "b", "c"), 2),
            (lambda c: c.sunionstore("u", "s", "t"), 3),
            (lambda c: c.smembers("u"), {b"a", b"b", b"c"}),
        ],
        "sinter": [
            (lambda c: c.sadd("s", "a", "b"), 2),
            (lambda c: c.sadd("t", "b", "c"), 2),
            (lambda c: c.sinter("s", "t"), {b"b"}),
        ],
        "sinterstore": [
            (lambda c: c.sadd("s", "a", "b"), 2),
            (lambda c: c.sadd("t", "b", "c"), 2),
            (lambda c: c.sinterstore("u", "s", "t"), 1),
            (lambda c: c.smembers("u"), {b"b"}),
        ],
        "sdiff": [
            (lambda c: c.sadd("s", "a", "b"), 2),
            (lambda c: c.sadd("t", "b", "c"), 2),
            (lambda c: c.sdiff("s", "t"), {b"a"}),
        ],
        "sdiffstore": [
            (lambda c: c.sadd("s", "a", "b"), 2),
            (lambda c: c.sadd("t", "b", "c"), 2),
            (lambda c: c.sdiffstore("u", "s", "t"), 1),
            (lambda c: c.smembers("u"), {b"a"}),
        ],
        "sintercard": [
            (lambda c: c.sadd("s", "a", "b"), 2),
            (lambda c: c.sadd("t", "a", "b"), 2),
            (lambda c: c.sintercard(["s", "t"]), 2),
            (lambda c: c.sintercard(["s", "t"], limit=1), 1),
        ],
    },
    "zsets": {
        "zadd": [
            (lambda c: c.zadd("z", {"a": 1, "b": 2, "c": 3}), 3),
            (lambda c: c.zadd("z", {"a": 5, "d": 4}, ch=True), 2),
            (lambda c: c.zadd("z", {"a": 1}, nx=True), 0),
            (lambda c: c.zadd("z", {"a": 2}, incr=True), 7.0),
            (lambda c: c.zadd("z", {"i": float("inf")}), 1),
        ],
        "zrem": [
            (lambda c: c.zadd("z", {"a": 1, "b": 2, "c": 3}), 3),
            (lambda c: c.zrem("z", "a", "nobody"), 1),
        ],
        "zscore": [
            (lambda c: c.zadd("z", {"a": 1.5, "i": float("-inf")}), 2),
            (lambda c: c.zscore("z", "a"), 1.5),
            (lambda c: c.zscore("z", "i"), float("-inf")),
            (lambda c: c.zscore("z", "nobody"), None),
        ],
        "zmscore": [
            (lambda c: c.zadd("z", {"a": 1, "b": 2, "c": 3}), 3),
            (lambda c: c.zmscore("z", ["a", "nobody"]), [1.0, None]),
        ],
        "zcard": [
            (lambda c: c.zadd("z", {"a": 1, "b": 2, "c": 3}), 3),
            (lambda c: c.zcard("z"), 3),
        ],
        "zcount": [
            (lambda c: c.zadd("z", {"a": 1, "b": 2, "c": 3}), 3),
            (lambda c: c.zcount("z", "(1", "+inf"), 2),
        ],
        "zincrby": [
            (lambda c: c.zincrby("z", 0.5, "a"), 0.5),
            (lambda c: c.zincrby("z", -2, "a"), -1.5),
        ],
        "zrank": [
            (lambda c: c.zadd("z", {"a": 1, "b": 2, "c": 3}), 3),
            (lambda c: c.zrank("z", "b"), 1),
            (lambda c: c.zrank("z", "b", True), (1, 2.0)),
            (lambda c: c.zrank("z", "nobody"), None),
        ],
        "zrevrank": [
            (lambda c: c.zadd("z", {"a": 1, "b": 2, "c": 3}), 3),
            (lambda c: c.zrevrank("z", "b"), 1),
            (lambda c: c.zrevrank("z", "c", True), (0, 3.0)),
            (lambda c: c.zrevrank("z", "nobody"), None),
        ],
        "zrange": [
            (lambda c: c.zadd("z", {"a": 1, "b": 2, "c": 3}), 3),
            (lambda c: c.zrange("z", 0, -1), [b"a", b"b", b"c"]),
            (lambda c: c.zrange("z", 0, 1, withscores=True), [(b"a", 1.0), (b"b", 2.0)]),
            (lambda c: c.zrange("z", 0, 0, rev=True), [b"c"]),
            (lambda c: c.zrange("z", "(1", "3", byscore=True, offset=0, count=1), [b"b"]),
            (lambda c: c.zrange("z", "[a", "(c", bylex=True), [b"a", b"b"]),
        ],
        "zrangestore": [
            (lambda c: c.zadd("z", {"a": 1, "b": 2, "c": 3}), 3),
            (lambda c: c.zrangestore("y", "z", 1, 2), 2),
            (lambda c: c.zrange("y", 0, -1, withscores=True), [(b"b", 2.0), (b"c", 3.0)]),
        ],
        "zrangebyscore": [
            (lambda c: c.zadd("z", {"a": 1, "b": 2, "c": 3}), 3),
            (lambda c: c.zrangebyscore("z", "-inf", "2"), [b"a", b"b"]),
            (lambda c: c.zrangebyscore("z", 1, 3, offset=1, count=1, withscores=True), [(b"b", 2.0)]),
        ],
        "zrevrangebyscore": [
            (lambda c: c.zadd("z", {"a": 1, "b": 2, "c": 3}), 3),
            (lambda c: c.zrevrangebyscore("z", "2", "-inf"), [b"b", b"a"]),
            (lambda c: c.zrevrangebyscore("z", 3, 1, withscores=True), [(b"c", 3.0), (b"b", 2.0), (b"a", 1.0)]),
        ],
        "zrevrange": [
            (lambda c: c.zadd("z", {"a": 1, "b": 2, "c": 3}), 3),
            (lambda c: c.zrevrange("z", 0, 1), [b"c", b"b"]),
            (lambda c: c.zrevrange("z", 0, 0, withscores=True), [(b"c", 3.0)]),
        ],
        "zrangebylex": [
            (lambda c: c.zadd("z", {"a": 0, "b": 0, "c": 0}), 3),
            (lambda c: c.zrangebylex("z", "[a", "(c"), [b"a", b"b"]),
            (lambda c: c.zrangebylex("z", "-", "+", offset=1, count=1), [b"b"]),
        ],
        "zrevrangebylex": [
            (lambda c: c.zadd("z", {"a": 0, "b": 0, "c": 0}), 3),
            (lambda c: c.zrevrangebylex("z", "(c", "[a"), [b"b", b"a"]),
        ],
        "zlexcount": [
            (lambda c: c.zadd("z", {"a": 0, "b": 0, "c": 0}), 3),
            (lambda c: c.zlexcount("z", "-", "(c"), 2),
        ],
        "zpopmin": [
            (lambda c: c.zpopmin("z"), []),
            (lambda c: c.zadd("z", {"a": 1, "b": 2, "c": 3}), 3),
            (lambda c: c.zpopmin("z"), [(b"a", 1.0)]),
            (lambda c: c.zpopmin("z", 2), [(b"b", 2.0), (b"c", 3.0)]),
        ],
        "zpopmax": [
            (lambda c: c.zadd("z", {"a": 1, "b": 2, "c": 3}), 3),
            (lambda c: c.zpopmax("z"), [(b"c", 3.0)]),
            (lambda c: c.zpopmax("z", 2), [(b"b", 2.0), (b"a", 1.0)]),
        ],
        "bzpopmin": [
            (lambda c: c.zadd("z", {"a": 1, "b": 2, "c": 3}), 3),
            (lambda c: c.bzpopmin(["nobody", "z"], 1), (b"z", b"a", 1.0)),
            (lambda c: c.bzpopmin("nobody", 0.01), None),
        ],
        "bzpopmax": [
            (lambda c: c.zadd("z", {"a": 1, "b": 2, "c": 3}), 3),
            (lambda c: c.bzpopmax(["z"], 1), (b"z", b"c", 3.0)),
            (lambda c: c.bzpopmax("nobody", 0.01), None),
        ],
        "zrandmember": [
            (lambda c: c.zrandmember("z"), None),
            (lambda c: c.zadd("z", {"a": 1}), 1),
            (lambda c: c.zrandmember("z"), b"a"),
            (lambda c: c.zrandmember("z", -2), [b"a", b"a"]),
            (lambda c: c.zrandmember("z", 1, withscores=True), [(b"a", 1.0)]),
        ],
        "zremrangebyscore": [
            (lambda c: c.zadd("z", {"a": 1, "b": 2, "c": 3}), 3),
            (lambda c: c.zremrangebyscore("z", "2", "+inf"), 2),
        ],
        "zremrangebyrank": [
            (lambda c: c.zadd("z", {"a": 1, "b": 2, "c": 3}), 3),
            (lambda c: c.zremrangebyrank("z", 0, 1), 2),
            (lambda c: c.zrange("z", 0, -1), [b"c"]),
        ],
        "zremrangebylex": [
            (lambda c: c.zadd("z", {"a": 0, "b": 0, "c": 0}), 3),
            (lambda c: c.zremrangebylex("z", "[a", "[b"), 2),
        ],
        "zunionstore": [
            (lambda c: c.zadd("z", {"a": 1, "b": 2, "c": 3}), 3),
            (lambda c: c.zadd("y", {"c": 10, "d": 1}), 2),
            (lambda c: c.zunionstore("u", ["z", "y"], weights=[2, 1]), 4),
            (lambda c: c.zrange("u", 0, -1, withscores=True), [(b"d", 1.0), (b"a", 2.0), (b"b", 4.0), (b"c", 16.0)]),
        ],
        "zinterstore": [
            (lambda c: c.zadd("z", {"a": 1, "b": 2, "c": 3}), 3),
            (lambda c: c.zadd("y", {"c": 10, "d": 1}), 2),
            (lambda c: c.zinterstore("u", ["z", "y"], aggregate="max"), 1),
            (lambda c: c.zrange("u", 0, -1, withscores=True), [(b"c", 10.0)]),
        ],
        "zdiffstore": [
            (lambda c: c.zadd("z", {"a": 1, "b": 2, "c": 3}), 3),
            (lambda c: c.zadd("y", {"c": 10, "d": 1}), 2),
            (lambda c: c.zdiffstore("u", ["z", "y"]), 2),
            (lambda c: c.zrange("u", 0, -1), [b"a", b"b"]),
        ],
        "zunion": [
            (lambda c: c.zadd("z", {"a": 1, "b": 2, "c": 3}), 3),
            (lambda c: c.zadd("y", {"c": 10}), 1),
            (lambda c: c.zunion(["z", "y"]), [b"a", b"b", b"c"]),
            (lambda c: c.zunion(["z", "y"], withscores=True), [(b"a", 1.0), (b"b", 2.0), (b"c", 13.0)]),
        ],
        "zinter": [
            (lambda c: c.zadd("z", {"a": 1, "b": 2, "c": 3}), 3),
            (lambda c: c.zadd("y", {"c": 10}), 1),
            (lambda c: c.zinter(["z", "y"], withscores=True), [(b"c", 13.0)]),
        ],
        "zdiff": [
            (lambda c: c.zadd("z", {"a": 1, "b": 2, "c": 3}), 3),
            (lambda c: c.zadd("y", {"c": 10}), 1),
            (lambda c: c.zdiff(["z", "y"]), [b"a", b"b"]),
            (lambda c: c.zdiff(["z", "y"], withscores=True), [(b"a", 1.0), (b"b", 2.0)]),
        ],
        "zintercard": [
            (lambda c: c.zadd("z", {"a": 1, "b": 2, "c": 3}), 3),
            (lambda c: c.zadd("y", {"a": 1, "c": 10}), 2),
            (lambda c: c.zintercard(["z", "y"]), 2),
            (lambda c: c.zintercard(["z", "y"], limit=1), 1),
        ],
    },
    "streams": {
        "xadd": [
            (lambda c: c.xadd("x", {"f": "v"}, id="5-1"), b"5-1"),
            (lambda c: c.xadd("x", {"f": "v"}, id="5-*"), b"5-2"),
            (lambda c: c.xadd("nobody", {"f": "v"}, nomkstream=True), None),
            (lambda c: c.xadd("x", {"f": "v"}, id="6-0", maxlen=2), b"6-0"),
            (lambda c: c.xlen("x"), 2),
        ],
        "xlen": [
            (lambda c: c.xlen("x"), 0),
            (lambda c: c.xadd("x", {"f": "1"}, id="1-1"), b"1-1"),
            (lambda c: c.xadd("x", {"f": "2"}, id="2-1"), b"2-1"),
            (lambda c: c.xadd("x", {"f": "3"}, id="3-1"), b"3-1"),
            (lambda c: c.xlen("x"), 3),
        ],
        "xrange": [
            (lambda c: c.xadd("x", {"f": "1"}, id="1-1"), b"1-1"),
            (lambda c: c.xadd("x", {"f": "2"}, id="2-1"), b"2-1"),
            (lambda c: c.xadd("x", {"f": "3"}, id="3-1"), b"3-1"),
            (lambda c: c.xrange("x"), [(b"1-1", {b"f": b"1"}), (b"2-1", {b"f": b"2"}), (b"3-1", {b"f": b"3"})]),
            (lambda c: c.xrange("x", "2", "+", count=1), [(b"2-1", {b"f": b"2"})]),
        ],
        "xrevrange": [
            (lambda c: c.xadd("x", {"f": "1"}, id="1-1"), b"1-1"),
            (lambda c: c.xadd("x", {"f": "2"}, id="2-1"), b"2-1"),
            (lambda c: c.xadd("x", {"f": "3"}, id="3-1"), b"3-1"),
            (lambda c: c.xrevrange("x", count=2), [(b"3-1", {b"f": b"3"}), (b"2-1", {b"f": b"2"})]),
        ],
        "xdel": [
            (lambda c: c.xadd("x", {"f": "1"}, id="1-1"), b"1-1"),
            (lambda c: c.xadd("x", {"f": "2"}, id="2-1"), b"2-1"),
            (lambda c: c.xadd("x", {"f": "3"}, id="3-1"), b"3-1"),
            (lambda c: c.xdel("x", "2-1", "9-9"), 1),
            (lambda c: c.xlen("x"), 2),
        ],
        "xtrim": [
            (lambda c: c.xadd("x", {"f": "1"}, id="1-1"), b"1-1"),
            (lambda c: c.xadd("x", {"f": "2"}, id="2-1"), b"2-1"),
            (lambda c: c.xadd("x", {"f": "3"}, id="3-1"), b"3-1"),
            (lambda c: c.xtrim("x", maxlen=1), 2),
            (lambda c: c.xtrim("x", minid="9"), 1),
        ],
        "xread": [
            (lambda c: c.xadd("x", {"f": "1"}, id="1-1"), b"1-1"),
            (lambda c: c.xadd("x", {"f": "2"}, id="2-1"), b"2-1"),
            (lambda c: c.xadd("x", {"f": "3"}, id="3-1"), b"3-1"),
            (lambda c: c.xread({"x": "1-1"}), {b"x": [(b"2-1", {b"f": b"2"}), (b"3-1", {b"f": b"3"})]}),
            (lambda c: c.xread({"x": "0"}, count=1), {b"x": [(b"1-1", {b"f": b"1"})]}),
            (lambda c: c.xread({"x": "9"}, block=10), None),
        ],
        "xgroup_create": [
            (lambda c: c.xgroup_create("x", "g", "0", mkstream=True), True),
            (lambda c: c.xlen("x"), 0),
        ],
        "xgroup_setid": [
            (lambda c: c.xadd("x", {"f": "1"}, id="1-1"), b"1-1"),
            (lambda c: c.xadd("x", {"f": "2"}, id="2-1"), b"2-1"),
            (lambda c: c.xadd("x", {"f": "3"}, id="3-1"), b"3-1"),
            (lambda c: c.xgroup_create("x", "g", "0"), True),
            (lambda c: c.xgroup_setid("x", "g", "3-1"), True),
            (lambda c: c.xreadgroup("g", "one", {"x": ">"}), None),
        ],
        "xgroup_destroy": [
            (lambda c: c.xadd("x", {"f": "1"}, id="1-1"), b"1-1"),
            (lambda c: c.xadd("x", {"f": "2"}, id="2-1"), b"2-1"),
            (lambda c: c.xadd("x", {"f": "3"}, id="3-1"), b"3-1"),
            (lambda c: c.xgroup_create("x", "g", "0"), True),
            (lambda c: c.xgroup_destroy("x", "g"), True),
            (lambda c: c.xgroup_destroy("x", "g"), False),
        ],
        "xgroup_createconsumer": [
            (lambda c: c.xadd("x", {"f": "1"}, id="1-1"), b"1-1"),
            (lambda c: c.xadd("x", {"f": "2"}, id="2-1"), b"2-1"),
            (lambda c: c.xadd("x", {"f": "3"}, id="3-1"), b"3-1"),
            (lambda c: c.xgroup_create("x", "g", "0"), True),
            (lambda c: c.xgroup_createconsumer("x", "g", "c"), True),
            (lambda c: c.xgroup_createconsumer("x", "g", "c"), False),
        ],
        "xgroup_delconsumer": [
            (lambda c: c.xadd("x", {"f": "1"}, id="1-1"), b"1-1"),
            (lambda c: c.xadd("x", {"f": "2"}, id="2-1"), b"2-1"),
            (lambda c: c.xadd("x", {"f": "3"}, id="3-1"), b"3-1"),
            (lambda c: c.xgroup_create("x", "g", "0"), True),
            (lambda c: c.xreadgroup("g", "one", {"x": ">"}, count=2), {b"x": [(b"1-1", {b"f": b"1"}), (b"2-1", {b"f": b"2"})]}),
            (lambda c: c.xgroup_delconsumer("x", "g", "one"), 2),
            (lambda c: c.xgroup_delconsumer("x", "g", "one"), 0),
        ],
        "xreadgroup": [
            (lambda c: c.xadd("x", {"f": "1"}, id="1-1"), b"1-1"),
            (lambda c: c.xadd("x", {"f": "2"}, id="2-1"), b"2-1"),
            (lambda c: c.xadd("x", {"f": "3"}, id="3-1"), b"3-1"),
            (lambda c: c.xgroup_create("x", "g", "0"), True),
            (lambda c: c.xreadgroup("g", "one", {"x": ">"}, count=1), {b"x": [(b"1-1", {b"f": b"1"})]}),
            (lambda c: c.xreadgroup("g", "one", {"x": ">"}, noack=True), {b"x": [(b"2-1", {b"f": b"2"}), (b"3-1", {b"f": b"3"})]}),
            (lambda c: c.xreadgroup("g", "one", {"x": "0"}), {b"x": [(b"1-1", {b"f": b"1"})]}),
        ],
        "xack": [
            (lambda c: c.xadd("x", {"f": "1"}, id="1-1"), b"1-1"),
            (lambda c: c.xadd("x", {"f": "2"}, id="2-1"), b"2-1"),
            (lambda c: c.xadd("x", {"f": "3"}, id="3-1"), b"3-1"),
            (lambda c: c.xgroup_create("x", "g", "0"), True),
            (lambda c: c.xreadgroup("g", "one", {"x": ">"}, count=2), {b"x": [(b"1-1", {b"f": b"1"}), (b"2-1", {b"f": b"2"})]}),
            (lambda c: c.xack("x", "g", "1-1", "9-9"), 1),
        ],
        "xpending": [
            (lambda c: c.xadd("x", {"f": "1"}, id="1-1"), b"1-1"),
            (lambda c: c.xadd("x", {"f": "2"}, id="2-1"), b"2-1"),
            (lambda c: c.xadd("x", {"f": "3"}, id="3-1"), b"3-1"),
            (lambda c: c.xgroup_create("x", "g", "0"), True),
            (lambda c: c.xreadgroup("g", "one", {"x": ">"}, count=2), {b"x": [(b"1-1", {b"f": b"1"}), (b"2-1", {b"f": b"2"})]}),
            (lambda c: c.xpending("x", "g"), (2, b"1-1", b"2-1", [(b"one", 2)])),
        ],
        "xclaim": [
            (lambda c: c.xadd("x", {"f": "1"}, id="1-1"), b"1-1"),
            (lambda c: c.xadd("x", {"f": "2"}, id="2-1"), b"2-1"),
            (lambda c: c.xadd("x", {"f": "3"}, id="3-1"), b"3-1"),
            (lambda c: c.xgroup_create("x", "g", "0"), True),
            (lambda c: c.xreadgroup("g", "one", {"x": ">"}, count=2), {b"x": [(b"1-1", {b"f": b"1"}), (b"2-1", {b"f": b"2"})]}),
            (lambda c: c.xclaim("x", "g", "two", 0, ["1-1"], justid=True), [b"1-1"]),
            (lambda c: c.xclaim("x", "g", "two", 0, ["2-1"]), [(b"2-1", {b"f": b"2"})]),
        ],
        "xautoclaim": [
            (lambda c: c.xadd("x", {"f": "1"}, id="1-1"), b"1-1"),
            (lambda c: c.xadd("x", {"f": "2"}, id="2-1"), b"2-1"),
            (lambda c: c.xadd("x", {"f": "3"}, id="3-1"), b"3-1"),
            (lambda c: c.xgroup_create("x", "g", "0"), True),
            (lambda c: c.xreadgroup("g", "one", {"x": ">"}, count=2), {b"x": [(b"1-1", {b"f": b"1"}), (b"2-1", {b"f": b"2"})]}),
            (lambda c: c.xautoclaim("x", "g", "two", 0), (b"0-0", [(b"1-1", {b"f": b"1"}), (b"2-1", {b"f": b"2"})], [])),
            (lambda c: c.xautoclaim("x", "g", "three", 0, justid=True), (b"0-0", [b"1-1", b"2-1"], [])),
        ],
        "xinfo_stream": [
            (lambda c: c.xadd("x", {"f": "1"}, id="1-1"), b"1-1"),
            (lambda c: c.xadd("x", {"f": "2"}, id="2-1"), b"2-1"),
            (lambda c: c.xadd("x", {"f": "3"}, id="3-1"), b"3-1"),
            (lambda c: c.xinfo_stream("x"), {"length": 3, "radix-tree-keys": 1, "radix-tree-nodes": 2, "last-generated-id": "3-1", "max-deleted-entry-id": "0-0", "entries-added": 3, "recorded-first-entry-id": "1-1", "groups": 0, "first-entry": [b"1-1", [b"f", b"1"]], "last-entry": [b"3-1", [b"f", b"3"]]}),
        ],
        "xinfo_groups": [
            (lambda c: c.xadd("x", {"f": "1"}, id="1-1"), b"1-1"),
            (lambda c: c.xadd("x", {"f": "2"}, id="2-1"), b"2-1"),
            (lambda c: c.xadd("x", {"f": "3"}, id="3-1"), b"3-1"),
            (lambda c: c.xgroup_create("x", "g", "0"), True),
            (lambda c: c.xreadgroup("g", "one", {"x": ">"}, count=2), {b"x": [(b"1-1", {b"f": b"1"}), (b"2-1", {b"f": b"2"})]}),
            (lambda c: c.xinfo_groups("x"), [{"name": "g", "consumers": 1, "pending": 2, "last-delivered-id": "2-1", "entries-read": 2, "lag": 1}]),
        ],
        "xinfo_consumers": [
            (lambda c: c.xadd("x", {"f": "1"}, id="1-1"), b"1-1"),
            (lambda c: c.xadd("x", {"f": "2"}, id="2-1"), b"2-1"),
            (lambda c: c.xadd("x", {"f": "3"}, id="3-1"), b"3-1"),
            (lambda c: c.xgroup_create("x", "g", "0"), True),
            (lambda c: c.xinfo_consumers("x", "g"), []),
        ],
    },
    "bitmaps": {
        "setbit": [
            (lambda c: c.setbit("b", 7, 1), 0),
            (lambda c: c.setbit("b", 7, 0), 1),
        ],
        "getbit": [
            (lambda c: c.setbit("b", 7, 1), 0),
            (lambda c: c.getbit("b", 7), 1),
            (lambda c: c.getbit("b", 100), 0),
        ],
        "bitcount": [
            (lambda c: c.set("b", "foobar"), True),
            (lambda c: c.bitcount("b"), 26),
            (lambda c: c.bitcount("b", 1, 1), 6),
            (lambda c: c.bitcount("b", 5, 30, bit=True), 17),
        ],
        "bitpos": [
            (lambda c: c.set("b", b"\x00\xff\xf0"), True),
            (lambda c: c.bitpos("b", 1), 8),
            (lambda c: c.bitpos("b", 1, 2), 16),
            (lambda c: c.bitpos("b", 0, 9, -1, bit=True), 20),
        ],
        "bitop": [
            (lambda c: c.set("b", "abc"), True),
            (lambda c: c.set("c", "ab"), True),
            (lambda c: c.bitop("and", "d", "b", "c"), 3),
            (lambda c: c.get("d"), b"ab\x00"),
            (lambda c: c.bitop("not", "d", "b"), 3),
            (lambda c: c.get("d"), b"\x9e\x9d\x9c"),
        ],
        "bitfield": [
            (lambda c: c.bitfield("b", [["SET", "u8", 0, 255], ["GET", "u4", 4], ["INCRBY", "i5", 100, 1], ["OVERFLOW", "FAIL"], ["INCRBY", "u8", 0, 1]]), [0, 15, 1, None]),
        ],
    },
    "geo": {
        "geoadd": [
            (lambda c: c.geoadd("g", {"Palermo": (13.361389, 38.115556), "Catania": (15.087269, 37.502669)}), 2),
            (lambda c: c.geoadd("g", {"Palermo": (13.4, 38.1)}, ch=True, xx=True), 1),
        ],
        "geopos": [
            (lambda c: c.geoadd("g", {"Palermo": (13.361389, 38.115556), "Catania": (15.087269, 37.502669)}), 2),
            (lambda c: c.geopos("g", "Palermo", "nobody"), [(13.361389338970184, 38.1155563954963), None]),
        ],
        "geodist": [
            (lambda c: c.geoadd("g", {"Palermo": (13.361389, 38.115556), "Catania": (15.087269, 37.502669)}), 2),
            (lambda c: c.geodist("g", "Palermo", "Catania"), 166274.1516),
            (lambda c: c.geodist("g", "Palermo", "Catania", "km"), 166.2742),
            (lambda c: c.geodist("g", "Palermo", "nobody"), None),
        ],
        "geohash": [
            (lambda c: c.geoadd("g", {"Palermo": (13.361389, 38.115556), "Catania": (15.087269, 37.502669)}), 2),
            (lambda c: c.geohash("g", "Palermo", "nobody"), [b"sqc8b49rny0", None]),
        ],
        "geosearch": [
            (lambda c: c.geoadd("g", {"Palermo": (13.361389, 38.115556), "Catania": (15.087269, 37.502669)}), 2),
            (lambda c: c.geosearch("g", longitude=15, latitude=37, radius=200, unit="km", sort="asc"), [b"Catania", b"Palermo"]),
            (lambda c: c.geosearch("g", member="Palermo", width=400, height=400, unit="km", withdist=True, withhash=True, withcoord=True, sort="desc", count=1), [(b"Catania", 166.2742, 3479447370796909, (15.087267458438873, 37.50266842333162))]),
        ],
        "geosearchstore": [
            (lambda c: c.geoadd("g", {"Palermo": (13.361389, 38.115556), "Catania": (15.087269, 37.502669)}), 2),
            (lambda c: c.geosearchstore("h", "g", longitude=15, latitude=37, radius=100, unit="km", storedist=True), 1),
            (lambda c: c.zrange("h", 0, -1, withscores=True), [(b"Catania", 56.4412578701582)]),
        ],
    },
    "hyperloglog": {
        "pfadd": [
            (lambda c: c.pfadd("p", "a", "b"), True),
            (lambda c: c.pfadd("p", "a"), False),
        ],
        "pfcount": [
            (lambda c: c.pfadd("p", "a", "b"), True),
            (lambda c: c.pfadd("q", "b", "c"), True),
            (lambda c: c.pfcount("p", "q"), 3),
            (lambda c: c.pfcount("nobody"), 0),
        ],
        "pfmerge": [
            (lambda c: c.pfadd("p", "a", "b"), True),
            (lambda c: c.pfadd("q", "b", "c"), True),
            (lambda c: c.pfmerge("r", "p", "q"), True),
            (lambda c: c.pfcount("r"), 3),
        ],
    },
    "scan": {
        "scan": [
            (lambda c: c.mset({"a": "1", "b": "2"}), True),
            (lambda c: c.scan(0, match="a*", count=100), (0, [b"a"])),
            (lambda c: c.scan(0, count=100, type="hash"), (0, [])),
        ],
        "sscan": [
            (lambda c: c.sadd("s", "a"), 1),
            (lambda c: c.sscan("s"), (0, [b"a"])),
            (lambda c: c.sscan("s", 0, match="z*", count=5), (0, [])),
        ],
        "hscan": [
            (lambda c: c.hset("h", {"one": "1", "two": "2", "three": "3"}), 3),
            (lambda c: c.hscan("h", 0, match="t*", count=100), (0, {b"two": b"2", b"three": b"3"})),
            (lambda c: c.hscan("h", 0, novalues=True), (0, [b"one", b"two", b"three"])),
        ],
        "zscan": [
            (lambda c: c.zadd("z", {"a": 1, "b": 2, "c": 3}), 3),
            (lambda c: c.zscan("z"), (0, [(b"a", 1.0), (b"b", 2.0), (b"c", 3.0)])),
            (lambda c: c.zscan("z", 0, match="a"), (0, [(b"a", 1.0)])),
        ],
    },
    "scripting": {
        "eval": [
            (lambda c: c.eval("return {KEYS[1], ARGV[1], 3}", ["k"], ["v"]), [b"k", b"v", 3]),
        ],
        "evalsha": [
            (lambda c: c.script_load("return 1"), b"e0e1f9fabfc9d4800c877a703b823ac0578ff8db"),
            (lambda c: c.evalsha("e0e1f9fabfc9d4800c877a703b823ac0578ff8db"), 1),
        ],
        "script_load": [
            (lambda c: c.script_load("return 1"), b"e0e1f9fabfc9d4800c877a703b823ac0578ff8db"),
        ],
        "script_exists": [
            (lambda c: c.script_load("return 1"), b"e0e1f9fabfc9d4800c877a703b823ac0578ff8db"),
            (lambda c: c.script_exists("e0e1f9fabfc9d4800c877a703b823ac0578ff8db", "0000000000000000000000000000000000000000"), [True, False]),
        ],
        "script_flush": [
            (lambda c: c.script_load("return 1"), b"e0e1f9fabfc9d4800c877a703b823ac0578ff8db"),
            (lambda c: c.script_flush(), True),
            (lambda c: c.script_exists("e0e1f9fabfc9d4800c877a703b823ac0578ff8db"), [False]),
        ],
    },
    "server": {
        "ping": [
            (lambda c: c.ping(), "PONG"),
            (lambda c: c.ping("hello"), b"hello"),
        ],
        "echo": [
            (lambda c: c.echo(b"\x00\xff"), b"\x00\xff"),
        ],
        "dbsize": [
            (lambda c: c.mset({"a": "1", "b": "2"}), True),
            (lambda c: c.dbsize(), 2),
        ],
        "flushdb": [
            (lambda c: c.set("a", "1"), True),
            (lambda c: c.flushdb(), True),
            (lambda c: c.flushdb(asynchronous=True), True),
            (lambda c: c.dbsize(), 0),
        ],
        "flushall": [
            (lambda c: c.set("a", "1"), True),
            (lambda c: c.flushall(), True),
            (lambda c: c.flushall(asynchronous=True), True),
            (lambda c: c.dbsize(), 0),
        ],
        "config_get": [
            (lambda c: c.config_get("maxmemory-policy"), {"maxmemory-policy": "noeviction"}),
        ],
        "config_set": [
            (lambda c: c.config_set({"hash-max-listpack-entries": "77"}), True),
            (lambda c: c.config_get("hash-max-listpack-entries"), {"hash-max-listpack-entries": "77"}),
            (lambda c: c.config_set({"hash-max-listpack-entries": "512"}), True),
        ],
        "client_setname": [
            (lambda c: c.client_setname("me"), True),
            (lambda c: c.client_getname(), b"me"),
        ],
        "client_getname": [
            (lambda c: c.client_setname("you"), True),
            (lambda c: c.client_getname(), b"you"),
        ],
        "publish": [
            (lambda c: c.publish("ch", "m"), 0),
        ],
        "spublish": [
            (lambda c: c.spublish("ch", "m"), 0),
        ],
        "pubsub_channels": [
            (lambda c: c.pubsub_channels(), []),
            (lambda c: c.pubsub_channels("a*"), []),
        ],
        "pubsub_numsub": [
            (lambda c: c.pubsub_numsub("a", "b"), {b"a": 0, b"b": 0}),
        ],
        "pubsub_numpat": [
            (lambda c: c.pubsub_numpat(), 0),
        ],
        "pubsub_shardchannels": [
            (lambda c: c.pubsub_shardchannels(), []),
        ],
        "pubsub_shardnumsub": [
            (lambda c: c.pubsub_shardnumsub("a"), {b"a": 0}),
        ],
    },
}


async def check_info(c):
    equal((await c.info("server"))["hotkv_version"], "0.3.0")
    equal("connected_clients" in await c.info(), True)


async def check_time(c):
    seconds, microseconds = await c.time()
    between(seconds, 1_600_000_000, 4_000_000_000)
    between(microseconds, 0, 999_999)


async def check_client_id(c):
    first = await c.client_id()
    equal(await c.client_id(), first)
    between(first, 1, 1_000_000)


def check_of(calls):
    async def check(c):
        for call, expected in calls:
            equal(await call(c), expected)

    return check


def checks():
    """All checks by name, `check_` and the method."""
    made = {f"check_{name}": check_of(calls) for family in CALLS.values() for name, calls in family.items()}
    return {**made, "check_info": check_info, "check_time": check_time, "check_client_id": check_client_id}
