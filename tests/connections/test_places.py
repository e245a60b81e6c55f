"""How many commands run at once for connections."""

import asyncio
import json
from contextlib import ExitStack
from pathlib import Path

import pytest

from signoff.kit.settings import Settings
from signoff.tools.connections.mcp import pool
from signoff.tools.connections.mcp.faults import NotConnected
from signoff.tools.connections.mcp.one_call import WantedCall
from signoff.tools.connections.mcp.pool import Pool
from signoff.tools.connections.mcp.session import McpSession
from signoff.tools.connections.port import Connected
from tests.mcp_servers import servers

RUNS = 5
# It notes who it is, and how many of those before it are still there: one that is slow to leave is killed, and notes
# nothing then.
NOTING = """
touch "$1"; open=0
while read -r pid _; do kill -0 "$pid" 2>/dev/null && open=$((open + 1)); done < "$1"
echo "$$ $open" >> "$1"; shift; exec "$@"
"""


@pytest.mark.parametrize("places", [1, 3])
def test_runs_that_start_together_wait_for_each_other_and_none_is_thrown_out_before_its_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, places: int
) -> None:
    servers.install()
    monkeypatch.setattr(pool, "MOST_SESSIONS", places)
    # They look for a place more often than anybody can ask a server something.
    monkeypatch.setattr(pool, "WAIT_FOR_PLACE", 0.0001)
    file, noted = tmp_path / "tools.json", tmp_path / "noted"
    file.write_text(json.dumps([{"name": "look", "inputSchema": {"type": "object"}}]))
    inner = servers.changing(file)
    words = ["-c", NOTING, "sh", str(noted), inner["command"], *inner["args"]]
    connected = Connected("c", "w", "c", "C", {"transport": "stdio", "command": "sh", "args": words}, dict)
    settings, own = Settings(connect_timeout_seconds=60), Pool()

    async def all_at_once() -> list[object]:
        look = (await asyncio.to_thread(own.tools, connected, settings))[0]
        wanted = [WantedCall(look, {}, f"run-{each}", idempotent=False) for each in range(RUNS)]
        return [each.value for each in await asyncio.gather(*(own.call(connected, settings, w) for w in wanted))]

    try:
        assert asyncio.run(all_at_once()) == ["look with {}"] * RUNS
    finally:
        own.close()
    begun = [(int(pid), int(others)) for pid, others in map(str.split, noted.read_text().splitlines())]
    # One for the look at the tools, and one for each run: whoever is thrown out begins another one.
    assert len(begun) == RUNS + 1
    assert max(others for _, others in begun) < places
    assert not [pid for pid, _ in begun if Path(f"/proc/{pid}").exists()]


def test_who_comes_while_a_turn_passes_on_opens_no_second_session(monkeypatch: pytest.MonkeyPatch) -> None:
    opened = list[McpSession]()

    class Opening(McpSession):
        """The first one fails once somebody else waits for it."""

        async def open(self) -> None:
            opened.append(self)
            await asyncio.sleep(0)
            if self is opened[0]:
                raise NotConnected("it is not up yet")

        async def close(self) -> None:
            self.broken = True

    monkeypatch.setattr(pool, "McpSession", Opening)
    own, connected, key = Pool(), Connected("c", "w", "c", "C", {}, dict), ("c", "run")

    async def session() -> McpSession:
        return await own._session(connected, Settings(), "run", ExitStack())

    async def again() -> McpSession:
        with pytest.raises(NotConnected):
            await session()
        # The next one holds the turn, and has not woken up yet.
        await own._close([key])
        return await session()

    async def both() -> list[McpSession]:
        return list(await asyncio.gather(again(), session()))

    first, second = asyncio.run(both())
    assert first is second is opened[-1]
    assert len(opened) == 2, "the one that failed, and the one that both use"
