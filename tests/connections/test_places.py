"""How many commands run at once for connections."""

import asyncio
import json
from pathlib import Path

import pytest

from signoff.kit.settings import Settings
from signoff.tools.connections.mcp import pool
from signoff.tools.connections.mcp.pool import Pool, WantedCall
from signoff.tools.connections.port import Connected
from tests.mcp_servers import servers

RUNS = 8
# It notes when it begins and when it is over.
NOTING = 'echo 1 >> "$1"; "$2" "$3" "$4"; echo -1 >> "$1"'


@pytest.mark.parametrize("places", [1, 3])
def test_runs_that_start_together_wait_for_each_other_and_none_is_thrown_out_before_its_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, places: int
) -> None:
    servers.install()
    monkeypatch.setattr(pool, "MOST_SESSIONS", places)
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
    open_now, most = 0, 0
    for line in noted.read_text().split():
        open_now += int(line)
        most = max(most, open_now)
    assert most <= places
    assert open_now == 0
