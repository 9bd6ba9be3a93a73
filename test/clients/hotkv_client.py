"""Runs the typed methods of the official HotKV Python client against a server and asserts on every value.

    hotkv_client.py --port P --group GROUP --mode sync|asyncio --resp 2|3

The methods are those that the client's classes have: a method without a check here fails the run.
The server's clock is frozen for the groups gcra, agents, caches and accounting. Exit status 0: all checks passed.
"""

import argparse
import asyncio
import sys

import hotkv
import hotkv.asyncio
from hotkv.commands.admin import AdminCommands
from hotkv.commands.ai_caches import AICacheCommands
from hotkv.commands.ai_memory import AIMemoryCommands
from hotkv.commands.bitmaps import BitmapCommands
from hotkv.commands.geo import GeoCommands
from hotkv.commands.hashes import HashCommands
from hotkv.commands.hotkv_core import HotKVCoreCommands
from hotkv.commands.hyperloglog import HyperLogLogCommands
from hotkv.commands.keys import KeyCommands
from hotkv.commands.lists import ListCommands
from hotkv.commands.ops import OpsCommands
from hotkv.commands.scan import ScanCommands
from hotkv.commands.scripting import ScriptingCommands
from hotkv.commands.server import ServerCommands
from hotkv.commands.sets import SetCommands
from hotkv.commands.streams import StreamCommands
from hotkv.commands.strings import StringCommands
from hotkv.commands.zsets import SortedSetCommands

import hotkv_accounting
import hotkv_agents
import hotkv_caches
import hotkv_families
import hotkv_ordinary
from checks import Awaited, between, equal, raises, run_checks

FUTURE = 4_000_000_000
FUTURE_MS = FUTURE * 1000


# --- strings ---------------------------------------------------------------


async def check_get(c):
    equal(await c.get("k"), None)
    await c.set("k", b"\x00\xff")
    equal(await c.get("k"), b"\x00\xff")


async def check_set(c):
    equal(await c.set("k", "1"), True)
    equal(await c.set("k", "2", nx=True), False)
    equal(await c.set("k", "2", xx=True), True)
    equal(await c.set("k", "3", get=True), b"2")
    equal(await c.set("new", "1", get=True), None)
    equal(await c.set("k", "4", ex=100), True)
    between(await c.ttl("k"), 99, 100)
    equal(await c.set("k", "5", keepttl=True), True)
    between(await c.ttl("k"), 99, 100)
    equal(await c.set("k", "6", px=100_000), True)
    between(await c.pttl("k"), 99_000, 100_000)
    equal(await c.set("k", "7", exat=FUTURE), True)
    equal(await c.expiretime("k"), FUTURE)
    equal(await c.set("k", "8", pxat=FUTURE_MS + 1), True)
    equal(await c.pexpiretime("k"), FUTURE_MS + 1)


async def check_setnx(c):
    equal(await c.setnx("k", "1"), True)
    equal(await c.setnx("k", "2"), False)


async def check_setex(c):
    equal(await c.setex("k", 100, "v"), True)
    between(await c.ttl("k"), 99, 100)


async def check_psetex(c):
    equal(await c.psetex("k", 100_000, "v"), True)
    between(await c.pttl("k"), 99_000, 100_000)


async def check_getset(c):
    equal(await c.getset("k", "1"), None)
    equal(await c.getset("k", "2"), b"1")


async def check_getdel(c):
    await c.set("k", "1")
    equal(await c.getdel("k"), b"1")
    equal(await c.getdel("k"), None)


async def check_getex(c):
    await c.set("k", "1")
    equal(await c.getex("k"), b"1")
    equal(await c.getex("k", ex=100), b"1")
    between(await c.ttl("k"), 99, 100)
    equal(await c.getex("k", px=200_000), b"1")
    between(await c.pttl("k"), 199_000, 200_000)
    equal(await c.getex("k", exat=FUTURE), b"1")
    equal(await c.expiretime("k"), FUTURE)
    equal(await c.getex("k", pxat=FUTURE_MS), b"1")
    equal(await c.getex("k", persist=True), b"1")
    equal(await c.ttl("k"), -1)


async def check_append(c):
    equal(await c.append("k", "ab"), 2)
    equal(await c.append("k", "c"), 3)


async def check_strlen(c):
    equal(await c.strlen("k"), 0)
    await c.set("k", "abc")
    equal(await c.strlen("k"), 3)


async def check_incr(c):
    equal(await c.incr("k"), 1)


async def check_decr(c):
    equal(await c.decr("k"), -1)


async def check_incrby(c):
    equal(await c.incrby("k", 2**62), 2**62)
    await raises(hotkv.ResponseError, "increment or decrement would overflow", c.incrby("k", 2**62))


async def check_decrby(c):
    equal(await c.decrby("k", 5), -5)


async def check_incrbyfloat(c):
    equal(await c.incrbyfloat("k", 0.1), 0.1)
    equal(await c.incrbyfloat("k", 0.2), 0.3)


async def check_mget(c):
    await c.set("a", "1")
    equal(await c.mget(["a", "missing"]), [b"1", None])


async def check_mset(c):
    equal(await c.mset({"a": "1", "b": "2"}), True)
    equal(await c.mget(["a", "b"]), [b"1", b"2"])


async def check_msetnx(c):
    equal(await c.msetnx({"a": "1", "b": "2"}), True)
    equal(await c.msetnx({"b": "3", "c": "4"}), False)
    equal(await c.get("c"), None)


async def check_setrange(c):
    equal(await c.setrange("k", 3, "x"), 4)
    equal(await c.get("k"), b"\x00\x00\x00x")


async def check_getrange(c):
    await c.set("k", "Hello World")
    equal(await c.getrange("k", -5, -1), b"World")


# --- keys ------------------------------------------------------------------


async def check_delete(c):
    await c.mset({"a": "1", "b": "2"})
    equal(await c.delete("a", "b", "missing"), 2)


async def check_unlink(c):
    await c.set("a", "1")
    equal(await c.unlink("a", "a"), 1)


async def check_exists(c):
    await c.set("a", "1")
    equal(await c.exists("a", "a", "missing"), 2)


async def check_type(c):
    equal(await c.type("k"), "none")
    await c.set("k", "1")
    equal(await c.type("k"), "string")


async def check_touch(c):
    await c.set("k", "1")
    equal(await c.touch("k", "missing"), 1)


async def check_rename(c):
    await c.set("a", "1")
    equal(await c.rename("a", "b"), True)
    await raises(hotkv.ResponseError, "no such key", c.rename("a", "b"))


async def check_renamenx(c):
    await c.mset({"a": "1", "b": "2"})
    equal(await c.renamenx("a", "b"), False)
    equal(await c.renamenx("a", "c"), True)


async def check_copy(c):
    await c.mset({"a": "1", "b": "2"})
    equal(await c.copy("a", "b"), False)
    equal(await c.copy("a", "b", replace=True), True)
    equal(await c.copy("a", "a", db=1), True)


async def check_move(c):
    await c.set("a", "1")
    equal(await c.move("a", 1), True)
    equal(await c.move("a", 1), False)


async def check_keys(c):
    await c.mset({"user:1": "a", "user:2": "b", "other": "c"})
    equal(sorted(await c.keys("user:*")), [b"user:1", b"user:2"])
    equal(len(await c.keys()), 3)


async def check_randomkey(c):
    equal(await c.randomkey(), None)
    await c.set("k", "1")
    equal(await c.randomkey(), b"k")


async def check_dump(c):
    equal(await c.dump("k"), None)
    await c.set("k", "v")
    # type 0, length 1, "v", version (12 in Redis 8.2) and the checksum
    equal((await c.dump("k"))[:3], b"\x00\x01v")


async def check_restore(c):
    await c.set("k", "v")
    payload = await c.dump("k")
    equal(await c.restore("copy", 0, payload), True)
    equal(await c.get("copy"), b"v")
    await raises(hotkv.ResponseError, "Target key name already exists", c.restore("copy", 0, payload))
    equal(await c.restore("copy", FUTURE_MS, payload, replace=True, absttl=True), True)
    equal(await c.pexpiretime("copy"), FUTURE_MS)
    equal(await c.restore("copy", 0, payload, replace=True, idletime=10), True)


async def check_expire(c):
    equal(await c.expire("k", 100), False)
    await c.set("k", "1")
    equal(await c.expire("k", 100, xx=True), False)
    equal(await c.expire("k", 100, nx=True), True)
    equal(await c.expire("k", 50, gt=True), False)
    equal(await c.expire("k", 50, lt=True), True)


async def check_pexpire(c):
    await c.set("k", "1")
    equal(await c.pexpire("k", 100_000), True)
    between(await c.pttl("k"), 99_000, 100_000)


async def check_expireat(c):
    await c.set("k", "1")
    equal(await c.expireat("k", FUTURE), True)
    equal(await c.expireat("k", 1), True)
    equal(await c.exists("k"), 0)


async def check_pexpireat(c):
    await c.set("k", "1")
    equal(await c.pexpireat("k", FUTURE_MS), True)
    equal(await c.pexpireat("k", FUTURE_MS - 1, gt=True), False)


async def check_ttl(c):
    equal(await c.ttl("k"), -2)
    await c.set("k", "1")
    equal(await c.ttl("k"), -1)


async def check_pttl(c):
    equal(await c.pttl("k"), -2)


async def check_persist(c):
    await c.set("k", "1", ex=100)
    equal(await c.persist("k"), True)
    equal(await c.persist("k"), False)


async def check_expiretime(c):
    await c.set("k", "1", exat=FUTURE)
    equal(await c.expiretime("k"), FUTURE)


async def check_pexpiretime(c):
    equal(await c.pexpiretime("k"), -2)


# --- rate limits, at a frozen clock ------------------------------------------


async def check_gcra_limit(c):
    """The examples of the vendor's page."""
    equal(tuple(await c.gcra_limit("k", 60_000, 10)), (False, 10, 9, -1, 6_000))
    equal(tuple(await c.gcra_limit("k", 60_000, 10)), (False, 10, 8, -1, 12_000))
    for _ in range(2):
        denied = await c.gcra_limit("k", 60_000, 10, 10)
        equal(tuple(denied), (True, 10, 0, 12_000, 12_000))
        equal(denied.allowed, False)
    await c.execute_command("EMULATOR", "CLOCK", "ADVANCE", 12_000)
    equal(tuple(await c.gcra_limit("k", 60_000, 10, 10)), (False, 10, 0, -1, 60_000))
    equal(await c.pttl("k"), 60_000)
    await c.set("text", "no number")
    await raises(hotkv.ResponseError, "wrong kind of value", c.gcra_limit("text", 1_000, 1))
    await raises(hotkv.ResponseError, "invalid period: must be a positive integer", c.gcra_limit("k", 0, 1))


async def check_gcra_reset(c):
    await c.gcra_limit("a", 1_000, 1)
    await c.gcra_limit("b", 1_000, 1)
    equal(await c.gcra_reset("a", "b", "missing"), 2)
    equal(tuple(await c.gcra_limit("a", 1_000, 1)), (False, 1, 0, -1, 1_000))


def public_methods(cls):
    return [name for name, member in vars(cls).items() if callable(member) and not name.startswith("_")]


def prompt_methods():
    return [name for name in public_methods(AICacheCommands) if name.startswith("prompt_")]


def cache_methods():
    families = ("scache", "pcache", *hotkv_caches.KEYED_FAMILIES)
    return [name for name in public_methods(AICacheCommands) if name.split("_")[0] in families]


GROUPS = {
    "strings": lambda: public_methods(StringCommands),
    "keys": lambda: public_methods(KeyCommands),
    "gcra": lambda: ["gcra_limit", "gcra_reset"],
    "core": lambda: [name for name in public_methods(HotKVCoreCommands) if not name.startswith("gcra_")],
    "ops": lambda: public_methods(OpsCommands),
    "agents": lambda: public_methods(AIMemoryCommands) + prompt_methods(),
    "caches": cache_methods,
    "accounting": lambda: [name for name in public_methods(AICacheCommands) if name.startswith("llm")]
    + public_methods(AdminCommands),
    "hashes": lambda: public_methods(HashCommands),
    "lists": lambda: public_methods(ListCommands),
    "sets": lambda: public_methods(SetCommands),
    "sorted-sets": lambda: public_methods(SortedSetCommands),
    "streams": lambda: public_methods(StreamCommands),
    "bitmaps": lambda: public_methods(BitmapCommands),
    "geo": lambda: public_methods(GeoCommands),
    "hyperloglog": lambda: public_methods(HyperLogLogCommands),
    "scans": lambda: public_methods(ScanCommands),
    "scripts": lambda: public_methods(ScriptingCommands),
    "server": lambda: public_methods(ServerCommands),
}


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--group", choices=GROUPS, required=True)
    parser.add_argument("--mode", choices=("sync", "asyncio"), required=True)
    parser.add_argument("--resp", choices=("2", "3"), required=True)
    flags = parser.parse_args()

    options = {"host": "127.0.0.1", "port": flags.port, "resp3": flags.resp == "3"}
    client = Awaited(hotkv.HotKV(**options)) if flags.mode == "sync" else hotkv.asyncio.HotKV(**options)
    modules = (hotkv_families, hotkv_agents, hotkv_caches, hotkv_accounting)
    known = {**hotkv_ordinary.checks(), **globals()}
    for module in modules:
        known.update(vars(module))
    checks = {name: known[f"check_{name}"] for name in GROUPS[flags.group]()}
    failures = await run_checks(client, checks)
    await client.close()
    return 1 if failures or not checks else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
