"""Blocking tools run in threads of their own, which nobody has to wait for."""

import asyncio
import contextvars
import threading
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any, TypeAlias

# A tool that hangs keeps its thread for good: a process has only so many to give away.
MOST_THREADS = 1_000
# Those that wait for the next call: to start one takes longer than most tools.
MOST_IDLE, IDLE_SECONDS = 8, 30.0

# What to run, and whom to tell how it ended.
_Job: TypeAlias = tuple[Callable[[], Any], Callable[[Any, Exception | None], None]]
_Jobs: TypeAlias = SimpleQueue[_Job]


class NoThreadFree(Exception):
    """Too many tools block at once; this one was not started."""


class ToolThreads:
    """Threads that do not keep the process alive. Each call gets one at once: an idle one, else a new one."""

    def __init__(self, most: int = MOST_THREADS) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._idle: list[_Jobs] = []
        self._alive = 0

    @property
    def idle(self) -> int:
        return len(self._idle)

    async def run(self, function: Callable[..., Any], *args: Any, **options: Any) -> Any:
        """Run a function that blocks. One that hangs delays nobody else."""
        loop = asyncio.get_running_loop()
        ended: asyncio.Future[Any] = loop.create_future()
        context = contextvars.copy_context()

        def settle(result: Any, error: Exception | None) -> None:
            if ended.done():
                return
            if error is None:
                ended.set_result(result)
            else:
                ended.set_exception(error)

        def settle_soon(result: Any, error: Exception | None) -> None:
            # The loop may be closed by now: then nobody waits any more.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(settle, result, error)

        self._free_thread().put((lambda: context.run(function, *args, **options), settle_soon))
        return await ended

    def run_within(self, seconds: float, function: Callable[..., Any], *args: Any) -> Any:
        """The same for those who cannot await. Raises TimeoutError when it takes longer; it may go on all the same."""
        ended = SimpleQueue[tuple[Any, Exception | None]]()
        self._free_thread().put((lambda: function(*args), lambda result, error: ended.put((result, error))))
        try:
            result, error = ended.get(timeout=seconds)
        except Empty:
            raise TimeoutError(f"it took longer than {seconds:g} seconds") from None
        if error is not None:
            raise error
        return result

    def _free_thread(self) -> _Jobs:
        """Where a thread that has nothing to do takes its next job from."""
        with self._lock:
            if self._idle:
                return self._idle.pop()
            if self._alive >= self._most:
                raise self._refusal()
            self._alive += 1
        jobs: _Jobs = SimpleQueue()
        try:
            threading.Thread(target=self._work, args=(jobs,), name="signoff-tool", daemon=True).start()
        except RuntimeError:
            # The machine gives no more of them.
            with self._lock:
                self._alive -= 1
            raise self._refusal() from None
        return jobs

    def _refusal(self) -> NoThreadFree:
        return NoThreadFree(
            f"It was not started: {self._alive} tools are running on this worker already, as many as it can. "
            "If they hang, restarting the worker ends them."
        )

    def _work(self, jobs: _Jobs) -> None:
        job: _Job | None = jobs.get()
        while job is not None:
            work, settle = job
            result, error = _outcome(work)
            # Free before anybody hears of it, so that the next call finds it.
            is_kept = self._set_idle(jobs)
            settle(result, error)
            # Nothing of a call stays behind while the thread waits.
            del work, settle, result, error
            job = self._next(jobs) if is_kept else None

    def _set_idle(self, jobs: _Jobs) -> bool:
        with self._lock:
            is_kept = len(self._idle) < MOST_IDLE
            if is_kept:
                self._idle.append(jobs)
            else:
                self._alive -= 1
            return is_kept

    def _next(self, jobs: _Jobs) -> _Job | None:
        try:
            return jobs.get(timeout=IDLE_SECONDS)
        except Empty:
            with self._lock:
                if jobs in self._idle:
                    self._idle.remove(jobs)
                    self._alive -= 1
                    return None
        # Somebody chose this thread in the moment it gave up.
        return jobs.get()


def _outcome(work: Callable[[], Any]) -> tuple[Any, Exception | None]:
    try:
        return work(), None
    except BaseException as error:  # noqa: BLE001 - whatever a tool raises is how it ended
        # A future carries no StopIteration, and a tool that wants to leave the process leaves only its call.
        wrapped = RuntimeError(f"{type(error).__name__}: {error}")
        return None, error if isinstance(error, Exception) and not isinstance(error, StopIteration) else wrapped


_THREADS = ToolThreads()
in_thread = _THREADS.run
