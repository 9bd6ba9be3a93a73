"""Checks of the client's methods for agents: prompts, memory, embeddings stored once, retrieval of documents."""

import hotkv

from checks import equal, raises

FAR_MS = 2_500_000_000_000


async def now_ms(c):
    seconds, micros = await c.time()
    return seconds * 1000 + micros // 1000


# --- prompts -----------------------------------------------------------------


async def prompts(c):
    equal(await c.prompt_put("p", "one"), 1)
    equal(await c.prompt_put("p", "two", meta="note"), 2)


check_prompt_put = prompts


async def check_prompt_get(c):
    equal(await c.prompt_get("p"), None)
    await prompts(c)
    seconds = (await c.time())[0]
    equal(await c.prompt_get("p"), (2, b"two", b"note", seconds))
    equal(await c.prompt_get("p", 0), (2, b"two", b"note", seconds))
    equal(await c.prompt_get("p", 1), (1, b"one", None, seconds))


async def check_prompt_latest(c):
    await prompts(c)
    equal((await c.prompt_latest("p"))[:2], (2, b"two"))


async def check_prompt_setactive(c):
    await prompts(c)
    equal(await c.prompt_setactive("p", 1), True)
    equal((await c.prompt_get("p"))[0], 2)
    await raises(hotkv.ResponseError, "not found", c.prompt_setactive("p", 3))


async def check_prompt_versions(c):
    equal(await c.prompt_versions("p"), [])
    await prompts(c)
    equal(await c.prompt_versions("p"), [1, 2])


async def check_prompt_drop(c):
    await prompts(c)
    equal(await c.prompt_drop("p"), True)
    equal(await c.prompt_drop("p"), False)


async def check_prompt_list(c):
    await prompts(c)
    equal(await c.prompt_list(), [b"p"])


# --- conversations and scratch values ------------------------------------------


async def conversation(c):
    equal(await c.amem_conv_create("s", window=2, ttl=100), True)
    for content in ("a", "b", "c"):
        equal(await c.amem_conv_append("s", "user", content), True)


async def check_amem_conv_create(c):
    await conversation(c)
    equal(await c.amem_conv_create("past", pxat=1), True)
    await raises(hotkv.ResponseError, "already exists", c.amem_conv_create("s"))


async def check_amem_conv_append(c):
    await conversation(c)
    await raises(hotkv.ResponseError, "session not found", c.amem_conv_append("x", "user", "a"))


async def check_amem_conv_get(c):
    await conversation(c)
    equal(await c.amem_conv_get("s"), [{"role": b"user", "content": b"b"}, {"role": b"user", "content": b"c"}])
    equal(await c.amem_conv_get("x"), [])


async def check_amem_conv_window(c):
    await conversation(c)
    equal(await c.amem_conv_window("s", 1), [{"role": b"user", "content": b"c"}])


async def check_amem_conv_clear(c):
    await conversation(c)
    equal(await c.amem_conv_clear("s"), True)
    equal(await c.amem_conv_get("s"), [])


async def check_amem_conv_drop(c):
    await conversation(c)
    equal(await c.amem_conv_drop("s"), True)
    equal(await c.amem_conv_drop("s"), False)


async def scratch(c):
    await c.amem_conv_create("s")
    equal(await c.amem_work_set("s", "a", "1"), True)
    equal(await c.amem_work_set("s", "b", b"\x00\xff", ttl=100), True)
    equal(await c.amem_work_set("s", "past", "1", pxat=1), True)


async def check_amem_work_set(c):
    await scratch(c)
    await raises(hotkv.ResponseError, "session not found", c.amem_work_set("x", "a", "1"))


async def check_amem_work_get(c):
    await scratch(c)
    equal(await c.amem_work_get("s", "b"), b"\x00\xff")
    equal(await c.amem_work_get("s", "past"), None)


async def check_amem_work_del(c):
    await scratch(c)
    equal(await c.amem_work_del("s", "a"), True)
    equal(await c.amem_work_del("s", "a"), False)


async def check_amem_work_clear(c):
    await scratch(c)
    equal(await c.amem_work_clear("s"), True)
    equal(await c.amem_work_list("s"), [])


async def check_amem_work_list(c):
    await scratch(c)
    equal(await c.amem_work_list("s"), [b"a", b"b"])


# --- what agents know, and what happened to them -------------------------------


async def knowledge(c):
    equal(await c.amem_sem_create("bot", 2), True)
    equal(await c.amem_sem_store("bot", "k", "east", [1.0, 0.0], ttl=100), True)
    equal(await c.amem_sem_store("bot", "l", "northeast", [3.0, 4.0], pxat=FAR_MS), True)


check_amem_sem_create = knowledge
check_amem_sem_store = knowledge


async def check_amem_sem_recall(c):
    await knowledge(c)
    rows = [
        {"key": b"k", "content": b"east", "similarity": 1.0},
        {"key": b"l", "content": b"northeast", "similarity": 0.6},
    ]
    equal(await c.amem_sem_recall("bot", 5, [1.0, 0.0]), rows)
    equal(await c.amem_sem_recall("bot", 1, [1.0, 0.0]), rows[:1])


async def check_amem_sem_forget(c):
    await knowledge(c)
    equal(await c.amem_sem_forget("bot", "k"), True)
    equal(await c.amem_sem_forget("bot", "k"), False)


async def check_amem_sem_list(c):
    await knowledge(c)
    equal(await c.amem_sem_list("bot"), [b"k", b"l"])


async def events(c):
    equal(await c.amem_epis_log("bot", "call", "search"), True)
    equal(await c.amem_epis_log("bot", "end", "halt", metadata="{}"), True)


check_amem_epis_log = events


async def check_amem_epis_query(c):
    await events(c)
    now = await now_ms(c)
    call = {"type": b"call", "content": b"search", "metadata": None, "timestamp": now}
    end = {"type": b"end", "content": b"halt", "metadata": b"{}", "timestamp": now}
    equal(await c.amem_epis_query("bot"), [end, call])
    equal(await c.amem_epis_query("bot", type="call", from_ts=now, to_ts=now, limit=1), [call])
    equal(await c.amem_epis_query("bot", from_ts=now + 1), [])


async def check_amem_epis_clear(c):
    await events(c)
    equal(await c.amem_epis_clear("bot"), True)
    equal(await c.amem_epis_clear("bot"), False)


async def check_amem_epis_stats(c):
    await events(c)
    now = await now_ms(c)
    equal(await c.amem_epis_stats("bot"), {"total_events": 2, "oldest_ts": now, "newest_ts": now})


async def check_amem_search(c):
    await knowledge(c)
    await events(c)
    await c.amem_conv_create("bot")
    await c.amem_work_set("bot", "w", "v")
    rows = await c.amem_search("bot", 1, [1.0, 0.0])
    equal([row["source"] for row in rows], [b"semantic", b"episodic", b"working"])
    equal(rows[0]["similarity"], 1.0)
    equal(rows[2]["content"], b"v")


async def summary(c):
    equal(await c.amem_summary_set("bot", "one"), 1)
    equal(await c.amem_summary_append("bot", "two"), 2)


check_amem_summary_set = summary
check_amem_summary_append = summary


async def check_amem_summary_get(c):
    equal(await c.amem_summary_get("bot"), None)
    await summary(c)
    equal(await c.amem_summary_get("bot"), (b"one\ntwo", 2, (await c.time())[0]))


async def check_amem_summary_drop(c):
    await summary(c)
    equal(await c.amem_summary_drop("bot"), True)
    equal(await c.amem_summary_drop("bot"), False)


async def check_amem_summary_list(c):
    await summary(c)
    equal(await c.amem_summary_list(), [b"bot"])


# --- embeddings stored once ------------------------------------------------------


async def embeddings(c):
    equal(await c.embed_dedup_put("ns", "h", "m", b"\x00\xff"), True)
    equal(await c.embed_dedup_put("ns", "h", "m", b"\x00\xff"), False)


check_embed_dedup_put = embeddings


async def check_embed_dedup_get(c):
    await embeddings(c)
    equal(await c.embed_dedup_get("ns", "h"), b"\x00\xff")
    equal(await c.embed_dedup_get("ns", "x"), None)


async def check_embed_dedup_release(c):
    await embeddings(c)
    equal([await c.embed_dedup_release("ns", "h") for _ in range(3)], [True, True, False])
    equal(await c.embed_dedup_get("ns", "h"), None)


async def check_embed_dedup_stats(c):
    await check_embed_dedup_get(c)
    stats = await c.embed_dedup_stats("ns")
    equal([stats["hits"], stats["misses"], stats["entries"]], [1, 1, 1])


async def check_embed_dedup_drop(c):
    await embeddings(c)
    equal(await c.embed_dedup_drop("ns"), True)
    equal(await c.embed_dedup_drop("ns"), False)


async def check_embed_dedup_purge(c):
    await embeddings(c)
    equal(await c.embed_dedup_purge("ns"), True)
    equal(await c.embed_dedup_get("ns", "h"), b"\x00\xff")


async def check_embed_dedup_list(c):
    await embeddings(c)
    equal(await c.embed_dedup_list(), [b"ns"])


# --- retrieval of documents ------------------------------------------------------


async def documents(c):
    equal(await c.rag_create("docs", 2, chunk_size=4, chunk_overlap=0), True)
    equal(await c.rag_ingest("docs", "a", "cat dog", meta={"lang": "en"}, vectors=[[1.0, 0.0], [0.0, 1.0]]), 2)
    equal(await c.rag_ingest("docs", "b", "cat"), 1)


check_rag_create = documents
check_rag_ingest = documents


async def check_rag_search(c):
    await documents(c)
    rows = await c.rag_search("docs", "cat", k=1, alpha=0.5, vector=[1.0, 0.0], filter={"lang": "en"})
    score = rows[0].pop("bm25_score")
    assert score > 0, score
    found = {"chunk_id": b"a:0", "doc_id": b"a", "text": b"cat ", "meta": {"lang": b"en"}}
    equal(rows, [{**found, "score": 1.0, "vector_score": 1.0}])
    equal([row["chunk_id"] for row in await c.rag_search("docs", "cat", alpha=0.0)], [b"a:0", b"b:0"])
    equal([row["chunk_id"] for row in await c.rag_search("docs", "", alpha=1.0, vector=[0.0, 1.0])], [b"a:1", b"a:0"])


async def check_rag_stats(c):
    await documents(c)
    stats = await c.rag_stats("docs")
    equal([stats["name"], stats["chunkStrategy"], stats["documents"], stats["chunks"]], ["docs", "fixed", 2, 3])


async def check_rag_drop(c):
    await documents(c)
    equal(await c.rag_drop("docs"), True)
    await raises(hotkv.ResponseError, "not found", c.rag_drop("docs"))


async def check_rag_list(c):
    await documents(c)
    equal(await c.rag_list(), [b"docs"])
