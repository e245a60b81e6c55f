"""Blocking tools run in threads of their own, which nobody has to wait for."""

import asyncio
import contextvars
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any


async def in_thread(function: Callable[..., Any], *args: Any, **options: Any) -> Any:
    """Run a function that blocks. A thread that hangs takes no place in a pool, and does not keep the process alive."""
    loop = asyncio.get_running_loop()
    ended: asyncio.Future[Any] = loop.create_future()
    context = contextvars.copy_context()

    def tell(result: Any, error: Exception | None) -> None:
        if ended.done():
            return
        if error is None:
            ended.set_result(result)
        else:
            ended.set_exception(error)

    def work() -> None:
        result: Any = None
        failed: Exception | None = None
        try:
            result = context.run(function, *args, **options)
        except BaseException as error:  # noqa: BLE001 - whatever a tool raises is how it ended
            # A future carries no StopIteration, and a tool that wants to leave the process leaves only its thread.
            wrapped = RuntimeError(f"{type(error).__name__}: {error}")
            failed = error if isinstance(error, Exception) and not isinstance(error, StopIteration) else wrapped
        # The loop may be closed by now: then nobody waits any more.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(tell, result, failed)

    threading.Thread(target=work, name="signoff-tool", daemon=True).start()
    return await ended
