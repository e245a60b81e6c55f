"""What a worker lets slip: to the model that reads errors, and to whoever reads the log."""

import subprocess
import sys
from pathlib import Path

import pytest

from signoff.tools.hide_paths import HIDDEN, without_paths
from signoff.tools.registry import tool
from tests.house import House
from tests.wire import call, results, says


@pytest.fixture(scope="module")
def kind() -> str:
    """What is said does not care which database is behind."""
    return "sqlite"


def test_no_error_that_the_model_reads_says_where_the_server_lives(house: House) -> None:
    @tool(risk="low", operation_type="read", idempotent=True)
    def peek(place: str) -> str:
        """Read a file of the server."""
        raise OSError(f"cannot open {place!r} or {Path.home() / '.netrc'} or {sys.prefix}/lib/x.py")

    house.parts.context.registry.register(peek)
    secret = str(house.settings.data.absolute() / "signoff.db")
    work = says(
        "",
        call("write_file", {"path": "folder/a.txt", "content": "1"}, "c1"),
        call("read_file", {"path": "folder/" + "x" * 300}, "c2"),
        call("write_file", {"path": "folder/a.txt/b.txt", "content": "1"}, "c3"),
        call("peek", {"place": secret}, "c4"),
    )
    tools = ("write_file", "read_file", "peek")
    run = house.start(house.agent("nosy", house.model.script("nosy", work), *tools, autonomy="full"))
    assert house.ended(run)["status"] == "completed"
    assert [each["status"] for each in house.calls(run)][1:4] == ["failed"] * 3
    sent_back = results(house.model.asked("nosy")[-1])
    for place in (house.settings.data.absolute(), Path.home(), Path(sys.prefix), Path.cwd()):
        assert not any(str(place) in each for each in (*sent_back, *(str(c["error"]) for c in house.calls(run))))
    assert HIDDEN in sent_back[3]


def test_a_path_of_the_runs_own_folder_stays_readable() -> None:
    folder = Path("/srv/signoff/runs/r1")
    error = "[Errno 21] Is a directory: '/srv/signoff/runs/r1/notes/a.md' (/srv/signoff/signoff.db), GET /v1/x of http://a/b"
    cleaned = without_paths(error, folder, Path("/srv/signoff"))
    assert cleaned == f"[Errno 21] Is a directory: 'notes/a.md' ({HIDDEN}), GET /v1/x of http://a/b"


def test_the_log_has_no_addresses_of_requests(house: House) -> None:
    asking = f"""
import httpx, httpx2, asyncio
from signoff import main
main._log()
url = "{house.url}/healthz?key=very-secret"
httpx.get(url)
httpx2.get(url)
"""
    done = subprocess.run([sys.executable, "-c", asking], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "very-secret" not in done.stdout + done.stderr
