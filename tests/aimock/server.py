"""aimock: one server on loopback that speaks every provider's own wire, says what it is told and keeps what it gets."""

import fcntl
import hashlib
import json
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from hatch_build import ROOT, node_home, npm

HERE = Path(__file__).parent
HOME = ROOT / ".build/aimock"


def _install() -> None:
    """The package of the lock file, once for each lock file."""
    HOME.mkdir(parents=True, exist_ok=True)
    with (HOME / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for name in ("package.json", "package-lock.json", ".npmrc", "server.mjs"):
            shutil.copy(HERE / name, HOME)
        wanted = hashlib.sha256((HERE / "package-lock.json").read_bytes()).hexdigest()
        done = HOME / "node_modules/.signoff-lock"
        if not done.is_file() or done.read_text() != wanted:
            npm("ci", "--prefix", str(HOME), "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
            done.write_text(wanted)


class Aimock:
    def __init__(self, url: str) -> None:
        self.url = url
        self._client = httpx.Client(base_url=url, timeout=20)

    def script(self, *answers: dict[str, Any]) -> None:
        """Forget everything; then give these answers, in order. An error is given once, before the next answer."""
        self._call("POST", "/__aimock/reset")
        self._call("DELETE", "/__wire")
        fixtures, turn = list[dict[str, Any]](), 0
        for answer in answers:
            once = {"sequenceIndex": 0} if "error" in answer else {}
            fixtures.append({"match": {"turnIndex": turn, **once}, "response": answer})
            turn += "error" not in answer
        self._call("POST", "/__aimock/fixtures", {"fixtures": fixtures})

    def answer(self, *answers: tuple[dict[str, Any], dict[str, Any]]) -> None:
        """Forget everything; then give each answer to what matches."""
        self.script()
        self._call("POST", "/__aimock/fixtures", {"fixtures": [{"match": m, "response": r} for m, r in answers]})

    def count(self, *usages: dict[str, Any]) -> None:
        """What each of the next requests counts, in the words of its wire."""
        self._call("PUT", "/__wire", list(usages))

    def received(self) -> list[tuple[str, dict[str, Any]]]:
        """Path and body of every request, as it came over the wire."""
        return [(each["path"].partition("?")[0], json.loads(each["body"])) for each in self._call("GET", "/__wire")]

    def close(self) -> None:
        self._client.close()

    def _call(self, method: str, path: str, body: Any = None) -> Any:
        response = self._client.request(method, path, json=body)
        assert response.status_code == 200, response.text
        return response.json()


@contextmanager
def aimock() -> Iterator[Aimock]:
    """Start the server; it ends with the block, or with this process."""
    _install()
    command = [node_home() / "bin/node", "server.mjs"]
    with subprocess.Popen(command, cwd=HOME, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        url = server.stdout.readline().strip()
        assert url, "aimock did not start"
        mock = Aimock(url)
        yield mock
        mock.close()
