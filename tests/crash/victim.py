"""A whole Signoff in a process of its own that meets its fate at a chosen place: it dies there, stops or hangs.

Forked from a server that has imported everything once, since a fresh interpreter takes seconds to come up.
"""

import asyncio
import logging
import multiprocessing
import os
import signal
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import httpx
import uvicorn
from sqlalchemy.orm import Session

from signoff import main
from signoff.engine.worker import local
from signoff.kit.db import events
from signoff.kit.db.database import Commit, commit_of
from signoff.kit.ids import new_id
from signoff.kit.settings import Settings
from signoff.tools.registry import Tool, ToolContext, tool

CHARGES, LOOKUPS = "charges", "lookups"
FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(
    [
        *(
            "tests.crash.victim",
            "signoff.engine.model.providers",
            "signoff.engine.model.client",
            "pydantic_ai.models.openai",
        ),
        *("pydantic_ai.providers.openai", "openai.resources.chat", "genai_prices.data", "psycopg", "sqlite3"),
    ]
)


@dataclass(frozen=True)
class Orders:
    """How to live, and where to die."""

    settings: Settings
    model_url: str
    log: Path
    place: str = ""
    passing: int = 1
    # Die; stop the whole process; hang with all else alive; nap: stop, then hang, with the lease thread slow to wake.
    fate: Literal["die", "stop", "hang", "nap"] = "die"
    # Pretend to be on another host, where nobody sees whether this process lives.
    host: str = ""
    # Where `pay` pays.
    ledger: str = ""

    @property
    def go(self) -> Path:
        """This file ends a hanging."""
        return self.log.with_suffix(".go")


def live(orders: Orders) -> None:
    """The product as `signoff serve` runs it, with two more tools."""
    _begin(orders)
    fate = Fate(orders)
    parts = main.assemble(orders.settings, fate.pass_by)
    for each in (*_tools(fate, orders.settings.data), _paying(fate, orders.ledger)):
        parts.context.registry.register(each)
    fate.watch(parts)
    main.prepare(parts)
    server = uvicorn.Server(
        uvicorn.Config(main.application(parts), port=orders.settings.port, log_config=None, timeout_graceful_shutdown=1)
    )
    server.run()
    parts.db.close()


def _begin(orders: Orders) -> None:
    log = os.open(orders.log, os.O_CREAT | os.O_WRONLY | os.O_APPEND)
    os.dup2(log, 1)
    os.dup2(log, 2)
    logging.basicConfig(level=logging.INFO)
    logging.getLogger("httpx").setLevel(logging.WARNING)
    os.environ["OPENAI_BASE_URL"] = orders.model_url
    # Made at import, which was before the fork.
    events.PROCESS = new_id()
    if orders.host:
        owner = local.this_owner().split("|", 1)[1]
        local.this_owner = lambda: f"{orders.host}|{owner}"


class Fate:
    """Strikes at the n-th passing of one place."""

    def __init__(self, orders: Orders) -> None:
        self._orders = orders
        self._left = orders.passing
        # Taken by whoever writes: a process must not be stopped with a transaction open, that is another story.
        self._quiet = threading.RLock()

    async def pass_by(self, place: str) -> None:
        """The checkpoint."""
        if self.strike(place) and self._orders.fate in ("hang", "nap"):
            logging.info("hangs at %s", place)
            while not self._orders.go.exists():  # noqa: ASYNC110 - the word comes from another process
                await asyncio.sleep(0.02)

    def strike(self, place: str) -> bool:
        """Whether this is the place; then it has happened."""
        if not self._meets(place):
            return False
        if self._orders.fate != "hang":
            with self._quiet:
                os.kill(os.getpid(), signal.SIGKILL if self._orders.fate == "die" else signal.SIGSTOP)
        return True

    def _wait_after_nap(self) -> None:
        while self._orders.fate == "nap" and self._left <= 0 and not self._orders.go.exists():
            time.sleep(0.02)

    def _meets(self, place: str) -> bool:
        if place == self._orders.place:
            self._left -= 1
            return self._left == 0
        return False

    def watch(self, parts: main.Parts) -> None:
        """Places that are no checkpoint: in the middle of an answer's text, around the commit that wakes a run."""
        tell, write = parts.hub.transient, parts.db.write

        def streaming(*event: Any) -> None:
            self.strike("streaming")
            tell(*event)

        def committing(session: Session) -> None:
            if commit_of(session).woken_runs:
                self.strike("committing")

        def committed(commit: Commit) -> None:
            if commit.woken_runs and not commit.from_elsewhere:
                self.strike("committed")

        def writing(*args: Any, **options: Any) -> Any:
            if threading.current_thread().name == "signoff-lease":
                self._wait_after_nap()
            with self._quiet:
                return write(*args, **options)

        parts.hub.transient = streaming
        parts.db._finishers = (*parts.db._finishers, committing)
        parts.db.listeners.insert(0, committed)
        if self._orders.fate in ("stop", "nap"):
            parts.db.write = writing


def _tools(fate: Fate, folder: Path) -> list[Tool]:
    @tool(risk="low", operation_type="financial_transaction")
    async def charge(context: ToolContext, item: str) -> str:
        """Charge for an item; twice would be once too often."""
        await fate.pass_by("charging")
        _note(folder / CHARGES, context, item)
        await fate.pass_by("charged")
        return f"charged {item}"

    @tool(idempotent=True, operation_type="query")
    async def lookup(context: ToolContext, item: str) -> str:
        """Look an item up."""
        await fate.pass_by("looking")
        _note(folder / LOOKUPS, context, item)
        await fate.pass_by("looked")
        return f"{item} is there"

    return [charge, lookup]


def _paying(fate: Fate, ledger: str) -> Tool:
    """A tool that blocks a thread, which no timeout and no cancelling reaches."""

    @tool(risk="low", operation_type="financial_transaction")
    def pay(context: ToolContext, item: str) -> str:
        """Pay for an item at a service that takes every request for a new one."""
        fate.strike("paying")
        headers = {"Idempotency-Key": context.idempotency_key, "X-Fence": str(context.fence)}
        httpx.post(ledger, json={"item": item}, headers=headers, timeout=60).raise_for_status()
        fate.strike("paid")
        return f"paid {item}"

    return pay


def _note(ledger: Path, context: ToolContext, item: str) -> None:
    """One line in one write, so that it is there whole or not at all."""
    line = f"{context.call_id} {time.time()} {item}\n"
    file = os.open(ledger, os.O_CREAT | os.O_WRONLY | os.O_APPEND)
    os.write(file, line.encode())
    os.close(file)
