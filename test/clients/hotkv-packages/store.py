"""LangGraph's long-term memory in HotKV, sync and asyncio: items, filters, vectors, expiry, namespaces.

    store.py --port P       the server's clock is frozen
"""

import asyncio

import hotkv
import hotkv.asyncio
from langgraph.store.hotkv import AsyncHotKVStore, HotKVStore

from report import equal, port, run_check

ADA = ("users", "ada")
BOB = ("users", "bob")


def embed(texts):
    """A vector for each text: how often it names cats, dogs and cars."""
    return [[float(text.count(word)) + 1e-05 for word in ("cat", "dog", "car")] for text in texts]


class Sync:
    """The sync store under the names of the asyncio one."""

    def __init__(self, store):
        self._store = store

    def __getattr__(self, name):
        method = getattr(self._store, name[1:])

        async def call(*args, **options):
            return method(*args, **options)

        return call


async def keys(found):
    """The keys of the items that a search finds."""
    return [item.key for item in await found]


async def items(store, client):
    await store.aput(ADA, "prefs", {"theme": "dark"})
    item = await store.aget(ADA, "prefs")
    equal((item.namespace, item.key, item.value), (ADA, "prefs", {"theme": "dark"}))
    await store.aput(ADA, "prefs", {"theme": "light"})
    again = await store.aget(ADA, "prefs")
    equal((again.value, again.created_at), ({"theme": "light"}, item.created_at))
    equal(await store.aget(BOB, "prefs"), None)
    await store.adelete(ADA, "prefs")
    equal(await store.aget(ADA, "prefs"), None)
    equal(await client.keys("*"), [])


async def filters(store, client):
    for key, value in (("a", {"n": 1}), ("b", {"n": 2}), ("c", {"n": 3})):
        await store.aput(ADA, key, value)
    await store.aput(BOB, "d", {"n": 2})
    equal(await keys(store.asearch(ADA, filter={"n": 2})), ["b"])
    equal(sorted(await keys(store.asearch(("users",), filter={"n": {"$gte": 2}}))), ["b", "c", "d"])
    equal(len(await store.asearch(("users",), limit=3)), 3)
    equal(await store.asearch(("nobody",)), [])


async def vectors(store, client):
    texts = {"cats": "cat cat cat dog", "dogs": "cat dog dog", "cars": "car"}
    for key, text in texts.items():
        await store.aput(ADA, key, {"text": text, "kind": "thing" if key == "cars" else "animal"})
    found = await store.asearch(ADA, query="cat")
    equal([item.key for item in found], ["cats", "dogs", "cars"])
    equal([round(item.score, 3) for item in found], [0.949, 0.447, 0.0])
    equal(await keys(store.asearch(ADA, query="car", limit=1)), ["cars"])
    equal(await keys(store.asearch(ADA, query="cat", filter={"kind": "thing"})), ["cars"])
    await store.aput(ADA, "cats", {"text": "car car", "kind": "thing"})
    equal(sorted(await keys(store.asearch(ADA, query="car", limit=2))), ["cars", "cats"])
    for key in texts:
        await store.adelete(ADA, key)
    equal(await store.asearch(ADA, query="cat"), [])
    equal(await client.vsim_list(), [])


async def expiry(store, client):
    await store.aput(ADA, "brief", {"text": "cat"}, ttl=1)
    await store.aput(ADA, "lasting", {"text": "dog"})
    await client.execute_command("EMULATOR", "CLOCK", "ADVANCE", "59000")
    equal((await store.aget(ADA, "brief", refresh_ttl=False)).value, {"text": "cat"})
    await store.aget(ADA, "brief", refresh_ttl=True)
    await client.execute_command("EMULATOR", "CLOCK", "ADVANCE", "59000")
    equal((await store.aget(ADA, "brief", refresh_ttl=False)).value, {"text": "cat"})
    await client.execute_command("EMULATOR", "CLOCK", "ADVANCE", "1000")
    equal(await store.aget(ADA, "brief"), None)
    equal(await keys(store.asearch(ADA)), ["lasting"])


async def namespaces(store, client):
    for namespace in (ADA, BOB, ("docs", "a", "b")):
        await store.aput(namespace, "k", {"v": 1})
    equal(await store.alist_namespaces(), [("docs", "a", "b"), ADA, BOB])
    equal(await store.alist_namespaces(prefix=("users",)), [ADA, BOB])
    equal(await store.alist_namespaces(suffix=("b",)), [("docs", "a", "b")])
    equal(await store.alist_namespaces(max_depth=1), [("docs",), ("users",)])
    await store.adelete(BOB, "k")
    equal(await store.alist_namespaces(prefix=("users",)), [ADA])


async def main():
    index = {"dims": 3, "embed": embed, "fields": ["text"]}
    async with hotkv.asyncio.HotKV(port=port()) as client:
        stores = {"sync": Sync(HotKVStore(hotkv.HotKV(port=port()), index=index))}
        stores["asyncio"] = AsyncHotKVStore(client, index=index)
        for mode, store in stores.items():
            for check in (items, filters, vectors, expiry, namespaces):
                await client.flushall()
                await run_check(f"{mode}: {check.__name__}", check(store, client))


asyncio.run(main())
