"""Blocking tools: each gets a thread at once, and one that hangs is nobody else's matter."""

import asyncio
import threading

import pytest

from signoff.tools import threads
from signoff.tools.threads import NoThreadFree, ToolThreads


def test_one_call_after_the_other_runs_in_the_same_thread():
    async def work() -> set[int]:
        pool = ToolThreads(most=1)
        return {await pool.run(threading.get_ident) for _ in range(20)}

    assert len(asyncio.run(work())) == 1


def test_one_that_hangs_does_not_delay_others_and_too_many_are_refused():
    hanging = threading.Event()

    async def work() -> list[str]:
        pool = ToolThreads(most=3)
        stuck = [asyncio.create_task(pool.run(hanging.wait)) for _ in range(2)]
        await asyncio.sleep(0)
        found = [await pool.run(str, "beside"), await pool.run(str, "them")]
        stuck.append(asyncio.create_task(pool.run(hanging.wait)))
        await asyncio.sleep(0)
        with pytest.raises(NoThreadFree, match="3 tools are running"):
            await pool.run(str, "no more")
        # Given up on, it still has its thread.
        stuck[0].cancel()
        with pytest.raises(NoThreadFree):
            await pool.run(str, "no more")
        hanging.set()
        await asyncio.wait(stuck)
        while True:
            try:
                return [*found, await pool.run(str, "again")]
            except NoThreadFree:
                await asyncio.sleep(0.001)

    assert asyncio.run(asyncio.wait_for(work(), 20)) == ["beside", "them", "again"]


def test_many_at_once_all_run_and_only_a_few_threads_stay():
    together = threading.Barrier(threads.MOST_IDLE * 3)

    async def work() -> tuple[int, int]:
        pool = ToolThreads()
        results = await asyncio.gather(*(pool.run(together.wait, 20) for _ in range(together.parties)))
        return len(set(results)), pool.idle

    assert asyncio.run(work()) == (together.parties, threads.MOST_IDLE)


@pytest.mark.parametrize("error", [SystemExit(1), StopIteration(), KeyboardInterrupt()])
def test_whatever_a_tool_raises_ends_its_call_and_not_its_thread(error: BaseException):
    def leave() -> None:
        raise error

    async def work() -> int:
        pool = ToolThreads(most=1)
        with pytest.raises(RuntimeError, match=type(error).__name__):
            await pool.run(leave)
        return await pool.run(len, "ab")

    assert asyncio.run(work()) == 2


def test_a_thread_that_waited_long_enough_ends(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(threads, "IDLE_SECONDS", 0.01)

    async def work() -> int:
        pool = ToolThreads(most=1)
        await pool.run(int)
        while pool.idle:  # noqa: ASYNC110 - a thread has no event of its end
            await asyncio.sleep(0.005)
        return await pool.run(len, "ab")

    assert asyncio.run(asyncio.wait_for(work(), 20)) == 2
