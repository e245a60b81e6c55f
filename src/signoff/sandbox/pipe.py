"""What a program of the sandbox is told and answers: a line of JSON, then the bytes of a file if there is one."""

import json
import sys
from typing import Any


def request() -> dict[str, Any]:
    return json.loads(sys.stdin.buffer.readline())


def answer(said: dict[str, Any], content: bytes = b"") -> None:
    out = sys.stdout.buffer
    out.write(json.dumps(said, ensure_ascii=True, allow_nan=False).encode() + b"\n")
    out.write(content)
    out.flush()
