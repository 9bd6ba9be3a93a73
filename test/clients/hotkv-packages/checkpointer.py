"""LangGraph's conformance suite for checkpointers with the HotKV savers, sync and asyncio: every test is a check.

    checkpointer.py --port P
"""

import asyncio

import hotkv
import hotkv.asyncio
from langgraph.checkpoint.conformance import checkpointer_test, validate
from langgraph.checkpoint.conformance.report import ProgressCallbacks
from langgraph.checkpoint.hotkv import AsyncHotKVSaver, HotKVSaver

from report import port, report


class AwaitedSaver(HotKVSaver):
    """The sync saver under the names that the suite awaits."""

    async def aget_tuple(self, *args, **options):
        return self.get_tuple(*args, **options)

    async def alist(self, *args, **options):
        for found in self.list(*args, **options):
            yield found

    async def aput(self, *args, **options):
        return self.put(*args, **options)

    async def aput_writes(self, *args, **options):
        return self.put_writes(*args, **options)

    async def adelete_thread(self, *args, **options):
        return self.delete_thread(*args, **options)

    async def adelete_for_runs(self, *args, **options):
        return self.delete_for_runs(*args, **options)

    async def acopy_thread(self, *args, **options):
        return self.copy_thread(*args, **options)

    async def aprune(self, *args, **options):
        return self.prune(*args, **options)


@checkpointer_test(name="sync")
async def sync_saver():
    client = hotkv.HotKV(port=port())
    client.flushall()
    yield AwaitedSaver(client)
    client.close()


@checkpointer_test(name="asyncio")
async def asyncio_saver():
    client = hotkv.asyncio.HotKV(port=port())
    await client.flushall()
    yield AsyncHotKVSaver(client)
    await client.close()


async def main():
    for saver in (sync_saver, asyncio_saver):

        def reported(capability, name, passed, error, mode=saver.name):
            report(f"{mode}: {capability}: {name}", None if passed else error or "failed")

        await validate(saver, progress=ProgressCallbacks(on_test_result=reported))


asyncio.run(main())
