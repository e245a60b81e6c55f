"""A server whose tools can try before they act. Each call of it is a line in the file that it is given."""

import sys
import time
from itertools import count
from pathlib import Path

from mcp.server.mcpserver import MCPServer

server, ledger, words = MCPServer("posts"), Path(sys.argv[1]), Path(sys.argv[2])
number = count(1)


def note(line: str) -> None:
    with ledger.open("a") as file:
        file.write(f"{line}\n")


@server.tool(description=words.read_text())
def post(text: str, dry_run: bool = False) -> str:
    note(f"{'try' if dry_run else 'post'} {text}")
    if text == "refused" and dry_run:
        raise ValueError("too rude")
    if text == "long" and dry_run:
        return "x" * 10_000
    # Other words each time.
    return f"would post {text}, look {next(number)} at {time.monotonic_ns()}" if dry_run else f"posted {text}"


@server.tool()
def stall(text: str, preview: bool = False) -> str:
    """Takes its time to try."""
    note(f"{'try' if preview else 'stall'} {text}")
    time.sleep(20 if preview else 0)
    return "done"


@server.tool()
def plain(text: str, dry_run: str = "") -> str:
    """Cannot try: its argument is a text."""
    note(f"plain {text}")
    return "done"


if __name__ == "__main__":
    server.run("stdio")
