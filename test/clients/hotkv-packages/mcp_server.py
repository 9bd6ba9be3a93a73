"""The official MCP server over stdio: each of its tools, and what read-only and namespace modes change.

    mcp_server.py --port P
"""

import asyncio
import json
import sys
from contextlib import asynccontextmanager

import hotkv
from mcp import ClientSession, StdioServerParameters, stdio_client

from report import equal, port, run_check

TOOL_COUNT = 28


@asynccontextmanager
async def session(*flags):
    command = ["-m", "hotkv_mcp", "--url", f"hotkv://127.0.0.1:{port()}", *flags]
    async with stdio_client(StdioServerParameters(command=sys.executable, args=command)) as (read, write):
        async with ClientSession(read, write) as client:
            await client.initialize()
            yield client


async def call(client, tool, **arguments):
    """What a tool returns, as the agent gets it: text where the tool declares no type."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content[0].text
    value = result.structured_content
    if value is None:
        return result.content[0].text
    return value["result"] if set(value) == {"result"} else value


async def server_info(call):
    info = await call("server_info")
    equal((info["keys"], info["read_only"], info["namespace"]), (0, False, None))
    equal((info["info"]["hotkv_version"], info["info"]["role"]), ("0.3.0", "master"))


async def get_(call):
    equal(await call("get", key="k"), None)
    await call("set", key="k", value="grün")
    equal(await call("get", key="k"), "grün")


async def set_(call):
    equal(await call("set", key="k", value="1", ttl_seconds=100), True)
    equal(await call("set", key="k", value="2", only_if_missing=True), False)
    equal(await call("get", key="k"), "1")


async def delete(call):
    await call("set", key="k", value="1")
    equal(await call("delete", key="k"), True)
    equal(await call("delete", key="k"), False)


async def key_info(call):
    equal(await call("key_info", key="k"), {"exists": False})
    await call("set", key="k", value="1", ttl_seconds=100)
    info = await call("key_info", key="k")
    equal((info["exists"], info["type"], 99 <= info["ttl_seconds"] <= 100), (True, "string", True))


async def scan(call):
    for key in ("a:1", "a:2", "b:1"):
        await call("set", key=key, value="1")
    page = await call("scan", pattern="a:*")
    equal((sorted(page["keys"]), page["next_cursor"]), (["a:1", "a:2"], 0))


async def hash_get(call):
    await call("hash_set", key="h", fields={"a": "1", "b": "2"})
    equal(json.loads(await call("hash_get", key="h")), {"a": "1", "b": "2"})
    equal(await call("hash_get", key="h", field="b"), "2")


async def hash_set(call):
    equal(await call("hash_set", key="h", fields={"a": "1", "b": "2"}), 2)
    equal(await call("hash_set", key="h", fields={"a": "3"}), 0)


async def list_range(call):
    await call("list_push", key="l", values=["a", "b", "c"])
    equal(await call("list_range", key="l", start=1), ["b", "c"])


async def list_push(call):
    equal(await call("list_push", key="l", values=["a", "b"]), 2)
    equal(await call("list_push", key="l", values=["c"], at_head=True), 3)
    equal(await call("list_range", key="l"), ["c", "a", "b"])


async def memory_append_message(call):
    equal(await call("memory_append_message", session="s", role="user", content="hello"), True)
    equal(await call("memory_append_message", session="s", role="assistant", content="hi"), True)
    turns = await call("memory_get_messages", session="s")
    equal([(turn["role"], turn["content"]) for turn in turns], [("user", "hello"), ("assistant", "hi")])


async def memory_get_messages(call):
    for content in ("one", "two", "three"):
        await call("memory_append_message", session="s", role="user", content=content)
    turns = await call("memory_get_messages", session="s", last=2)
    equal([turn["content"] for turn in turns], ["two", "three"])


async def memory_clear_messages(call):
    await call("memory_append_message", session="s", role="user", content="hello")
    equal(await call("memory_clear_messages", session="s"), True)
    equal(await call("memory_get_messages", session="s"), [])
    equal(await call("memory_clear_messages", session="nobody"), False)


async def memory_set_note(call):
    equal(await call("memory_set_note", session="s", key="n", value="1"), True)
    equal(await call("memory_get_note", session="s", key="n"), "1")


async def memory_get_note(call):
    await call("memory_set_note", session="s", key="n", value="1")
    equal(await call("memory_get_note", session="s", key="n"), "1")
    equal(await call("memory_get_note", session="s", key="nobody"), None)


async def memory_list_notes(call):
    for key in ("a", "b"):
        await call("memory_set_note", session="s", key=key, value="1")
    equal(sorted(await call("memory_list_notes", session="s")), ["a", "b"])


async def memory_log_event(call):
    equal(await call("memory_log_event", agent="a", event_type="decision", content="go", metadata="m"), True)
    events = await call("memory_query_events", agent="a")
    equal([(event["type"], event["content"], event["metadata"]) for event in events], [("decision", "go", "m")])


async def memory_query_events(call):
    for event_type in ("decision", "error"):
        await call("memory_log_event", agent="a", event_type=event_type, content="c")
    equal(len(await call("memory_query_events", agent="a")), 2)
    equal(len(await call("memory_query_events", agent="a", event_type="error")), 1)


async def memory_set_summary(call):
    equal(await call("memory_set_summary", agent="a", summary="one"), 1)
    equal(await call("memory_set_summary", agent="a", summary="two", append=True), 2)


async def memory_get_summary(call):
    equal(await call("memory_get_summary", agent="a"), None)
    await call("memory_set_summary", agent="a", summary="one")
    summary = await call("memory_get_summary", agent="a")
    equal((summary["summary"], summary["version"], summary["updated_unix"] > 0), ("one", 1, True))


async def prompt_save(call):
    equal(await call("prompt_save", name="p", content="one"), 1)
    equal(await call("prompt_save", name="p", content="two", notes="why"), 2)


async def prompt_get(call):
    equal(await call("prompt_get", name="p"), None)
    await prompt_save(call)
    latest = await call("prompt_get", name="p")
    equal((latest["version"], latest["content"], latest["notes"]), (2, "two", "why"))
    equal((await call("prompt_get", name="p", version=1))["content"], "one")


async def prompt_versions(call):
    await prompt_save(call)
    equal(await call("prompt_versions", name="p"), [1, 2])


async def prompt_list(call):
    await prompt_save(call)
    equal(await call("prompt_list"), ["p"])


async def rag_create(call):
    equal(await call("rag_create", pipeline="d", chunk_size=100, chunk_overlap=10), True)
    equal(await call("rag_list"), ["d"])


async def rag_ingest(call):
    await call("rag_create", pipeline="d", chunk_size=100, chunk_overlap=10)
    equal(await call("rag_ingest", pipeline="d", doc_id="one", text="x" * 250), 3)
    equal(await call("rag_ingest", pipeline="d", doc_id="one", text="short", metadata={"k": "v"}), 1)


async def rag_search(call):
    await call("rag_create", pipeline="d")
    await call("rag_ingest", pipeline="d", doc_id="cats", text="cats purr", metadata={"kind": "animal"})
    await call("rag_ingest", pipeline="d", doc_id="cars", text="cars hum", metadata={"kind": "thing"})
    hits = await call("rag_search", pipeline="d", query="purr")
    equal((len(hits), "cats" in json.dumps(hits[0])), (1, True))
    equal(await call("rag_search", pipeline="d", query="purr", filter={"kind": "thing"}), [])


async def rag_list(call):
    equal(await call("rag_list"), [])
    await call("rag_create", pipeline="d")
    equal(await call("rag_list"), ["d"])


CHECKS = [
    *[server_info, get_, set_, delete, key_info, scan, hash_get, hash_set, list_range, list_push],
    *[memory_append_message, memory_get_messages, memory_clear_messages],
    *[memory_set_note, memory_get_note, memory_list_notes, memory_log_event, memory_query_events],
    *[memory_set_summary, memory_get_summary, prompt_save, prompt_get, prompt_versions, prompt_list],
    *[rag_create, rag_ingest, rag_search, rag_list],
]


async def every_tool_is_checked(client):
    tools = sorted(tool.name for tool in (await client.list_tools()).tools)
    equal(tools, sorted(check.__name__.rstrip("_") for check in CHECKS))
    equal(len(tools), TOOL_COUNT)


async def read_only(store):
    store.set("k", "v")
    async with session("--read-only") as client:
        tools = {tool.name for tool in (await client.list_tools()).tools}
        equal((len(tools), tools & {"set", "delete", "rag_create", "prompt_save"}), (16, set()))
        equal(await call(client, "get", key="k"), "v")
        result = await refusal(client, "set", key="k", value="2")
        equal(("set" in result, store.get("k")), (True, b"v"))


async def refusal(client, tool, **arguments):
    """The error of a tool that must not run; a session may raise it or return it."""
    try:
        result = await client.call_tool(tool, arguments)
    except Exception as error:
        return str(error)
    assert result.is_error, result
    return result.content[0].text


async def namespace(store):
    store.set("outside", "1")
    store.set("team*:k", "inside")
    async with session("--namespace", "team*") as client:
        equal(await call(client, "get", key="outside"), None)
        equal(await call(client, "get", key="k"), "inside")
        equal((await call(client, "scan"))["keys"], ["k"])
        await call(client, "prompt_save", name="p", content="one")
        equal((await call(client, "prompt_list"), store.prompt_list()), (["p"], [b"team*:p"]))
        info = await call(client, "server_info")
        equal((info["keys"], info["namespace"]), (None, "team*"))


async def main():
    store = hotkv.HotKV(port=port())
    async with session() as client:
        for check in CHECKS:
            store.flushall()
            name = check.__name__.rstrip("_")
            await run_check(name, check(lambda tool, **arguments: call(client, tool, **arguments)))
        await run_check("every tool is checked", every_tool_is_checked(client))
    for check in (read_only, namespace):
        store.flushall()
        await run_check(check.__name__, check(store))


asyncio.run(main())
