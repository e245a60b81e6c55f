"""The peer: LangGraph with its own checkpointers, doing the same work: same words, same calls, one interrupt."""

import sqlite3
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any
from uuid import uuid4

from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver, empty_checkpoint
from langgraph.checkpoint.postgres import PostgresSaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.types import Command, interrupt
from psycopg.rows import dict_row
from psycopg_pool import ConnectionPool

from bench.measure import MILLI
from bench.stage import ARGUMENTS, SAYING, Place, bytes_on_disk

# How much history a checkpoint of the peer carries; ours never writes history again.
MESSAGES = 10


@contextmanager
def sqlite_saver(folder: Path, synchronous: str) -> Iterator[BaseCheckpointSaver[Any]]:
    """As shipped it commits with FULL; NORMAL is what Signoff uses."""
    connection = sqlite3.connect(folder / f"langgraph-{synchronous}.db", check_same_thread=False)
    saver = SqliteSaver(connection)
    saver.setup()
    connection.execute(f"PRAGMA synchronous={synchronous}")
    yield saver
    connection.close()


@contextmanager
def postgres_saver(url: str) -> Iterator[BaseCheckpointSaver[Any]]:
    given = {"autocommit": True, "prepare_threshold": 0, "row_factory": dict_row}
    with ConnectionPool(url, min_size=4, max_size=20, kwargs=given) as pool:
        saver = PostgresSaver(pool)
        saver.setup()
        yield saver


@contextmanager
def saver(place: Place, synchronous: str = "NORMAL") -> Iterator[tuple[BaseCheckpointSaver[Any], int, Any]]:
    """The peer's checkpointer on a fresh database; with its size now, and how to ask for it again."""
    folder, url = place.fresh()
    opened: AbstractContextManager[BaseCheckpointSaver[Any]]
    opened = postgres_saver(url) if url else sqlite_saver(folder, synchronous)
    with opened as found:
        yield found, bytes_on_disk(folder, url), lambda: bytes_on_disk(folder, url)


def new_thread() -> RunnableConfig:
    return {"configurable": {"thread_id": uuid4().hex, "checkpoint_ns": ""}}


def put(saver: BaseCheckpointSaver[Any]) -> Callable[[], None]:
    """One checkpoint: a message appended to a state of ten."""
    config, version = new_thread(), 0
    messages: list[Any] = [_said(turn) for turn in range(MESSAGES)]

    def write() -> None:
        nonlocal config, version
        version += 1
        messages.append(_said(version))
        checkpoint = empty_checkpoint()
        checkpoint["channel_values"] = {"messages": messages[-MESSAGES:]}
        checkpoint["channel_versions"] = {"messages": f"{version:032}.0"}
        metadata: Any = {"source": "loop", "step": version, "parents": {}}
        config = saver.put(config, checkpoint, metadata, {"messages": f"{version:032}.0"})

    return write


def _said(turn: int) -> AIMessage:
    call = {"name": "list_files", "args": {"path": "."}, "id": f"call_{turn}"}
    return AIMessage(SAYING, tool_calls=[call], id=uuid4().hex)


class Graph:
    """A model node and a tool node; so many safe calls, then one that waits for approval, then the end."""

    def __init__(self, saver: BaseCheckpointSaver[Any], steps: int) -> None:
        self.saver, self.steps = saver, steps
        # When the model node and the approved tool began.
        self.models: list[float] = []
        self.began: list[float] = []
        graph = StateGraph(MessagesState)
        graph.add_node("model", self._model)
        graph.add_node("tools", self._tools)
        graph.add_edge(START, "model")
        graph.add_conditional_edges("model", lambda state: "tools" if state["messages"][-1].tool_calls else END)
        graph.add_edge("tools", "model")
        self.app = graph.compile(checkpointer=saver)

    def _model(self, state: MessagesState) -> dict[str, Any]:
        self.models.append(time.perf_counter())
        turn = sum(isinstance(message, AIMessage) for message in state["messages"])
        if turn > self.steps:
            return {"messages": [AIMessage("done")]}
        if turn < self.steps:
            return {"messages": [_said(turn)]}
        call = {"name": "act", "args": ARGUMENTS, "id": f"call_{turn}"}
        return {"messages": [AIMessage(SAYING, tool_calls=[call])]}

    def _tools(self, state: MessagesState) -> dict[str, Any]:
        [call] = state["messages"][-1].tool_calls
        if call["name"] == "act":
            interrupt({"tool": "act", "arguments": call["args"]})
            self.began.append(time.perf_counter())
            return {"messages": [ToolMessage(str(self.began[-1]), tool_call_id=call["id"])]}
        return {"messages": [ToolMessage("[]", tool_call_id=call["id"])]}

    def park(self) -> RunnableConfig:
        """A new thread, up to its interrupt. `sync` is the durability that Signoff always has."""
        config = new_thread()
        self.app.invoke({"messages": [HumanMessage("Look around, then act.")]}, config, durability="sync")
        return config

    def resume(self, config: RunnableConfig) -> None:
        self.app.invoke(Command(resume=True), config, durability="sync")


def agent_steps(saver: BaseCheckpointSaver[Any], number: int) -> list[float]:
    """From one model node to the next, in milliseconds."""
    graph = Graph(saver, number)
    graph.park()
    return [(after - before) * MILLI for before, after in pairwise(graph.models)]


def decisions(saver: BaseCheckpointSaver[Any], number: int, warm_up: int = 3) -> tuple[list[float], list[float]]:
    """Start → parked, and resume → the tool begins, in milliseconds."""
    graph, parked, began = Graph(saver, 0), list[float](), list[float]()
    for index in range(number + warm_up):
        begin = time.perf_counter()
        config = graph.park()
        middle = time.perf_counter()
        graph.resume(config)
        if index >= warm_up:
            parked.append((middle - begin) * MILLI)
            began.append((graph.began[-1] - middle) * MILLI)
    return parked, began


def resumed(saver: BaseCheckpointSaver[Any], number: int, threads: int) -> Callable[[], int]:
    """Resume so many parked threads to their end; the parking itself is not part of what is timed."""
    graph = Graph(saver, 0)
    parked = [graph.park() for _ in range(number)]

    def work() -> int:
        if threads == 1:
            for config in parked:
                graph.resume(config)
        else:
            with ThreadPoolExecutor(threads) as pool:
                list(pool.map(graph.resume, parked))
        return number

    return work


def inbox(saver: BaseCheckpointSaver[Any]) -> Callable[[], int]:
    """Which threads wait: there is no index, so all are listed and the newest checkpoint of each is looked at."""

    def look() -> int:
        newest: dict[str, Any] = {}
        for each in saver.list(None):
            newest.setdefault(each.config["configurable"]["thread_id"], each)
        return sum(any(write[1] == "__interrupt__" for write in each.pending_writes or ()) for each in newest.values())

    return look
