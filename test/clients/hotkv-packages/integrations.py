"""The client's integrations with LangChain, LlamaIndex and LiteLLM, with fake models and embeddings.

    integrations.py --port P       the server has all licenses and a frozen clock

Caches are checked with a license and without: what the client falls back to must work too.
"""

import asyncio

import hotkv
import litellm
from hotkv.integrations import langchain, llama_index
from hotkv.integrations import litellm as lite
from langchain_core.embeddings import Embeddings
from langchain_core.globals import set_llm_cache
from langchain_core.language_models.fake import FakeListLLM
from llama_index.core.llms import ChatMessage
from llama_index.core.schema import NodeRelationship, RelatedNodeInfo, TextNode
from llama_index.core.vector_stores.types import ExactMatchFilter, MetadataFilters, VectorStoreQuery

from report import equal, port, run_check

WORDS = ("cat", "dog", "car")


def embed(text):
    return [float(text.count(word)) for word in WORDS]


class FakeEmbeddings(Embeddings):
    def embed_query(self, text):
        return embed(text)

    def embed_documents(self, texts):
        return [embed(text) for text in texts]


def answers(cache, prompts):
    """What a model that answers one, two, three … says to the prompts while the cache is in use."""
    set_llm_cache(cache)
    try:
        model = FakeListLLM(responses=["one", "two", "three", "four"])
        return [model.invoke(prompt) for prompt in prompts]
    finally:
        set_llm_cache(None)


async def langchain_cache(c):
    cache = langchain.HotKVCache(c)
    equal(answers(cache, ["cat", "cat", "dog", "cat"]), ["one", "one", "two", "one"])
    equal(c.pcache_stats("langchain-cache")["hits"], 2)
    cache.clear()
    equal(answers(cache, ["dog"]), ["one"])


async def langchain_cache_unlicensed(c):
    cache = langchain.HotKVCache(c)
    equal(answers(cache, ["cat", "cat", "dog"]), ["one", "one", "two"])
    equal(len(c.keys("hotkv:exact-cache-fallback:*")), 2)
    cache.clear()
    equal(c.dbsize(), 0)


async def langchain_semantic_cache(c):
    cache = langchain.HotKVSemanticCache(c, FakeEmbeddings())
    equal(answers(cache, ["a cat", "this cat", "a dog"]), ["one", "one", "two"])
    cache.clear()
    equal(c.scache_list(), [])


async def langchain_semantic_cache_unlicensed(c):
    cache = langchain.HotKVSemanticCache(c, FakeEmbeddings())
    equal(answers(cache, ["a cat", "this cat"]), ["one", "two"])


async def langchain_vector_store(c):
    store = langchain.HotKVVectorStore.from_texts(
        ["cat cat", "dog", "car"], FakeEmbeddings(), [{"n": 1}, {"n": 2}, {"n": 3}], ids=["a", "b", "c"], client=c
    )
    (found, distance), *rest = store.similarity_search_with_score("cat", k=2)
    equal((found.id, found.page_content, found.metadata, round(distance, 6), len(rest)), ("a", "cat cat", {"n": 1}, 0, 1))
    equal(store.delete(["a"]), True)
    equal([doc.id for doc in store.similarity_search("cat dog", k=5)], ["b", "c"])


async def langchain_chat_history(c):
    history = langchain.HotKVChatMessageHistory(c, "s", ttl=60)
    history.add_user_message("hello")
    history.add_ai_message("hi")
    equal([(m.type, m.content) for m in history.messages], [("human", "hello"), ("ai", "hi")])
    equal(c.ttl("hotkv:langchain:chat:s"), 60)
    history.clear()
    equal(history.messages, [])


def node(node_id, text, document, kind):
    source = {NodeRelationship.SOURCE: RelatedNodeInfo(node_id=document)}
    return TextNode(id_=node_id, text=text, embedding=embed(text), metadata={"kind": kind}, relationships=source)


async def llama_vector_store(c):
    store = llama_index.HotKVVectorStore(c, dims=len(WORDS))
    nodes = [node("a", "cat", "one", "animal"), node("b", "cat dog", "one", "animal"), node("c", "car", "two", "thing")]
    equal(store.add(nodes), ["a", "b", "c"])
    found = store.query(VectorStoreQuery(query_embedding=embed("cat"), similarity_top_k=2))
    equal((found.ids, [n.text for n in found.nodes]), (["a", "b"], ["cat", "cat dog"]))
    filters = MetadataFilters(filters=[ExactMatchFilter(key="kind", value="thing")])
    equal(store.query(VectorStoreQuery(query_embedding=embed("cat"), similarity_top_k=2, filters=filters)).ids, ["c"])
    store.delete("one")
    equal(store.query(VectorStoreQuery(query_embedding=embed("cat"), similarity_top_k=3)).ids, ["c"])


async def llama_kv_store(c):
    store = llama_index.HotKVKVStore(c)
    store.put_all([("a", {"n": 1}), ("b", {"n": 2})])
    equal((store.get("a"), await store.aget("nobody")), ({"n": 1}, None))
    equal(store.get_all(), {"a": {"n": 1}, "b": {"n": 2}})
    equal((store.delete("a"), store.delete("a"), store.get_all()), (True, False, {"b": {"n": 2}}))


async def llama_chat_store(c):
    store = llama_index.HotKVChatStore(c)
    for content in ("one", "two", "three"):
        store.add_message("s", ChatMessage(role="user", content=content))
    equal(store.delete_message("s", 0).content, "one")
    equal(store.delete_last_message("s").content, "three")
    equal(([m.content for m in store.get_messages("s")], store.get_keys()), (["two"], ["s"]))
    equal([m.content for m in store.delete_messages("s")], ["two"])
    equal(store.get_keys(), [])


def completions(cache, questions):
    """What is answered to the questions with the cache behind LiteLLM's own, which makes the keys; answers are counted.

    `litellm.completion` does the same around a model, but needs the packages of LiteLLM's proxy for it.
    """
    front = litellm.Cache()
    front.cache = cache
    answers = []
    for n, question in enumerate(questions, 1):
        request = {"model": "fake", "messages": [{"role": "user", "content": question}]}
        answer = front.get_cache(**request)
        if answer is None:
            answer = {"answer": n}
            front.add_cache(answer, **request)
        answers.append(answer["answer"])
    return answers


async def litellm_cache(c):
    cache = lite.HotKVCache(c)
    cache.set_cache("k", {"n": 1})
    equal((cache.get_cache("k"), await cache.async_get_cache("k"), cache.get_cache("nobody")), ({"n": 1}, {"n": 1}, None))
    await cache.async_set_cache_pipeline([("a", 1), ("b", [2])])
    equal((cache.get_cache("a"), cache.get_cache("b")), (1, [2]))
    equal(completions(cache, ["cat", "cat", "dog"]), [1, 1, 3])


async def litellm_cache_unlicensed(c):
    cache = lite.HotKVCache(c)
    cache.set_cache("k", {"n": 1}, ttl=50)
    equal(cache.get_cache("k"), {"n": 1})
    equal([c.ttl(key) for key in c.keys("*")], [50])


async def litellm_semantic_cache(c):
    async def aembed(text):
        return embed(text)

    cache = lite.HotKVSemanticCache(c, embedding_model="fake", embed_fn=embed, aembed_fn=aembed)
    question = [{"role": "user", "content": "a cat"}]
    await cache.async_set_cache("ignored", {"n": 1}, messages=question)
    equal(cache.get_cache("other", messages=[{"role": "user", "content": "that cat"}]), {"n": 1})
    equal(await cache.async_get_cache("other", messages=[{"role": "user", "content": "dog"}]), None)
    equal(completions(cache, ["one dog", "two dog", "car"]), [1, 1, 3])


CHECKS = [
    *[langchain_cache, langchain_cache_unlicensed, langchain_semantic_cache, langchain_semantic_cache_unlicensed],
    *[langchain_vector_store, langchain_chat_history, llama_vector_store, llama_kv_store, llama_chat_store],
    *[litellm_cache, litellm_cache_unlicensed, litellm_semantic_cache],
]


async def main():
    client = hotkv.HotKV(port=port())
    for check in CHECKS:
        client.flushall()
        license_mode = "none" if check.__name__.endswith("_unlicensed") else "full"
        client.execute_command("EMULATOR", "LICENSE", license_mode)
        await run_check(check.__name__.replace("_", " "), check(client))


asyncio.run(main())
