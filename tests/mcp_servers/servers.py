"""Real MCP servers from npm, as commands on this machine or on a port of their own."""

import fcntl
import hashlib
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from hatch_build import ROOT, node_home, npm
from tests.house import until
from tests.ports import free_port

HERE = Path(__file__).parent
HOME = ROOT / ".build/mcp_servers"


def install() -> None:
    """The packages of the lock file, once for each lock file."""
    HOME.mkdir(parents=True, exist_ok=True)
    with (HOME / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for name in ("package.json", "package-lock.json", ".npmrc", "changing.mjs"):
            shutil.copy(HERE / name, HOME)
        wanted = hashlib.sha256((HERE / "package-lock.json").read_bytes()).hexdigest()
        done = HOME / "node_modules/.signoff-lock"
        if not done.is_file() or done.read_text() != wanted:
            npm("ci", "--prefix", str(HOME), "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
            done.write_text(wanted)


def node() -> str:
    return str(node_home() / "bin/node")


def script(server: str) -> str:
    return str(HOME / f"node_modules/@modelcontextprotocol/server-{server}/dist/index.js")


def command(server: str, *args: str, **env: str) -> dict[str, Any]:
    """Settings for one of them as a command."""
    return {"transport": "stdio", "command": node(), "args": [script(server), *args], "env": env}


def changing(file: Path, **env: str) -> dict[str, Any]:
    """Settings for a server whose tools are what the file says at that moment."""
    return {"transport": "stdio", "command": node(), "args": [str(HOME / "changing.mjs"), str(file)], "env": env}


@contextmanager
def over_http(server: str = "everything", port: int | None = None) -> Iterator[str]:
    """Its address, while it runs."""
    port = port or free_port()
    words = [node(), script(server), "streamableHttp"]
    with subprocess.Popen(
        words, env={"PORT": str(port)}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        url = f"http://127.0.0.1:{port}/mcp"
        until(lambda: _answers(url))
        try:
            yield url
        finally:
            process.kill()


def _answers(url: str) -> bool:
    try:
        return httpx.get(url, timeout=5).status_code < 500
    except httpx.TransportError:
        return False
