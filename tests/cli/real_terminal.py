"""A server in a process of its own, and a person's terminal in front of it."""

import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
from typer.testing import CliRunner, Result

import signoff
from signoff.cli import app
from signoff.cli.api_client import Connection
from tests.ports import free_port

SOURCE = Path(signoff.__file__).parents[1]
TOKEN = "the-root-token-of-the-terminal"


class Server:
    process: subprocess.Popen[bytes]

    def __init__(self, data: Path) -> None:
        self.port = free_port()
        self.data = data
        self.url = f"http://127.0.0.1:{self.port}"
        self.env = {k: v for k, v in os.environ.items() if not k.startswith("SIGNOFF_")}
        self.env |= {
            "PYTHONPATH": str(SOURCE),
            "SIGNOFF_TOKEN": TOKEN,
            "TERM": "xterm",
            "COLUMNS": "100",
            "LINES": "40",
        }

    def start(self) -> None:
        log = (self.data.parent / "serve.log").open("wb")
        process = self.process = subprocess.Popen(
            command("serve", "--port", str(self.port), "--data", str(self.data)), env=self.env, stdout=log, stderr=log
        )
        log.close()
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and process.poll() is None:
            try:
                if httpx.get(self.url + "/readyz", trust_env=False).is_success:
                    return
            except httpx.TransportError:
                pass
            time.sleep(0.1)
        process.kill()
        raise AssertionError((self.data.parent / "serve.log").read_text())

    def get(self, path: str) -> Any:
        return httpx.get(
            self.url + path, headers={"Authorization": f"Bearer {TOKEN}"}, trust_env=False, timeout=30
        ).json()

    def cli(self, *args: str, input: str = "", token: str | None = TOKEN) -> Result:
        return CliRunner().invoke(app, list(args), input=input, obj=Connection(url=self.url, token=token))


def command(*args: str) -> list[str]:
    return [sys.executable, "-W", "ignore", "-m", "signoff", *args]


def wait_until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.2)


class Terminal:
    """A person's terminal: a process in a pty, and what it has shown so far."""

    def __init__(self, server: Server, *args: str, token: str = TOKEN) -> None:
        self.process, self.shown = pty.fork(), ""
        self.pid, self.descriptor = self.process
        if self.pid == 0:
            # A shell that runs tests in the background lets them ignore Ctrl-C, and all that they start.
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.execve(sys.executable, command(*args), server.env | {"SIGNOFF_URL": server.url, "SIGNOFF_TOKEN": token})

    def read(self, seconds: float) -> bool:
        if not select.select([self.descriptor], [], [], seconds)[0]:
            return True
        try:
            chunk = os.read(self.descriptor, 65_536)
        except OSError:
            return False
        self.shown += re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", chunk.decode("utf-8", "replace"))
        return bool(chunk)

    def wait_for(self, *texts: str) -> str:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            for text in texts:
                if text in self.shown:
                    self.shown = self.shown.partition(text)[2]
                    return text
            if not self.read(0.2):
                break
        raise AssertionError(f"none of {texts} came, but {self.shown!r}")

    def type(self, keys: str) -> None:
        # Only once it reads single keys has it thrown away what was typed before.
        wait_until(lambda: not termios.tcgetattr(self.descriptor)[3] & termios.ICANON)
        os.write(self.descriptor, keys.encode())

    def code(self) -> int:
        while self.read(1):
            pass
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
