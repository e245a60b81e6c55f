"""The house keeps its own rules."""

import os
import re
import signal
import subprocess
from collections import Counter
from pathlib import Path

import httpx

from tests.house import until
from tests.ports import free_port

ROOT = Path(__file__).parent.parent


def _tracked(*patterns: str) -> list[Path]:
    listed = subprocess.run(["git", "ls-files", *patterns], cwd=ROOT, capture_output=True, text=True, check=True)
    return [ROOT / name for name in listed.stdout.splitlines()]


def test_no_module_is_over_four_hundred_lines() -> None:
    made = {"schema.d.ts", "0001_first_tables.py"}
    modules = [path for path in _tracked("*.py", "*.ts", "*.tsx") if path.name not in made]
    # By their whole paths: many are called `schemas.py`.
    sizes = {str(path.relative_to(ROOT)): len(path.read_text().splitlines()) for path in modules}
    assert sizes
    assert {path: size for path, size in sizes.items() if size > 400} == {}


def test_no_folder_has_over_fifteen_source_files() -> None:
    """More want rooms. Only migrations are one numbered list, which grows."""
    python = [path for path in _tracked("src/signoff/*.py") if path.name != "__init__.py"]
    web = [
        path for path in _tracked("web/src/*.ts", "web/src/*.tsx") if not re.search(r"\.(test\.tsx?|d\.ts)$", path.name)
    ]
    folders = Counter(str(path.parent.relative_to(ROOT)) for path in python + web)
    assert {"src/signoff/runs", "web/src/routes"} <= folders.keys()
    del folders["src/signoff/migrations/versions"]
    assert {folder: count for folder, count in folders.items() if count > 15} == {}


def test_lock_files_name_no_host() -> None:
    locks = _tracked("*.lock", "*lock.json")
    assert {"requirements-dev.lock", "package-lock.json"} <= {path.name for path in locks}
    for path in locks:
        assert "://" not in path.read_text(), path.name


def test_the_readmes_commands_are_the_ones_that_ci_runs() -> None:
    readme, makefile = (ROOT / "README.md").read_text(), (ROOT / "Makefile").read_text()
    commands = set(re.findall(r"^make ([a-z-]+)", readme, re.MULTILINE))
    assert {"run", "test"} <= commands
    for command in commands:
        assert f"\n{command}:" in makefile


def test_make_run_starts_by_itself_and_prints_a_link_that_signs_in(tmp_path: Path) -> None:
    """The README's first command, as a newcomer types it."""
    printed, port = tmp_path / "printed", free_port()
    with printed.open("w") as out:
        environment = os.environ | {"SIGNOFF_DATA": str(tmp_path / "data")}
        make = subprocess.Popen(
            ["make", "run", f"PORT={port}"], cwd=ROOT, env=environment, stdout=out, stderr=out, start_new_session=True
        )
    try:
        link = until(lambda: re.search(r"http://\S+/sign-in\?token=(\S+)", printed.read_text()))
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30) as browser:
            until(lambda: _ready(browser))
            assert "<title>" in browser.get(link.group(0)).text
            assert browser.post("/api/auth/sign-in", json={"token": link.group(1)}).status_code == 200
            waiting = until(lambda: browser.get("/api/asks", params={"status": "pending"}).json()["items"])
            assert waiting[0]["kind"] == "approval"
    finally:
        os.killpg(make.pid, signal.SIGTERM)
        make.wait(30)


def _ready(browser: httpx.Client) -> bool:
    try:
        return browser.get("/readyz").status_code == 200
    except httpx.TransportError:
        return False
