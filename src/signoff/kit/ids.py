"""UUIDv7: sorts by time, so an index on the id is an index on the age."""

import os
import threading
import time

_lock = threading.Lock()
_last = 0


def new_id() -> str:
    """A new id; ids made by one process always grow."""
    return _format(_next_stamp(), int.from_bytes(os.urandom(8)))


def _next_stamp() -> int:
    """Milliseconds and a 12-bit fraction of them, never the same twice."""
    global _last
    nanoseconds = time.time_ns()
    stamp = (nanoseconds // 1_000_000) << 12 | (nanoseconds % 1_000_000) * 4096 // 1_000_000
    with _lock:
        _last = max(stamp, _last + 1)
        return _last


def _format(stamp: int, noise: int) -> str:
    value = (stamp >> 12) << 80 | 0x7 << 76 | (stamp & 0xFFF) << 64 | 0b10 << 62 | noise >> 2
    text = f"{value:032x}"
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"
