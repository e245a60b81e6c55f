"""The peer: the same chain in LangGraph, with its own checkpointer."""

import time
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, TypedDict

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph

from bench.measure import MILLI
from bench.peers import new_thread


class State(TypedDict):
    """What goes from node to node."""

    chain: str
    begun: list[float]


def chains(saver: BaseCheckpointSaver[Any], steps: int, number: int, threads: int) -> tuple[list[float], float]:
    """Milliseconds from one node to the next, its checkpoint between them; and how long all chains took together."""
    graph = StateGraph(State)
    for step in range(steps):
        graph.add_node(f"step_{step}", lambda state: {"begun": [*state["begun"], time.perf_counter()]})
        graph.add_edge(f"step_{step - 1}" if step else START, f"step_{step}")
    graph.add_edge(f"step_{steps - 1}", END)
    app = graph.compile(checkpointer=saver)

    def run(index: int) -> list[float]:
        given: State = {"chain": f"c{index}", "begun": []}
        return app.invoke(given, new_thread(), durability="sync")["begun"]

    begin = time.perf_counter()
    with ThreadPoolExecutor(threads) as pool:
        found = list(pool.map(run, range(number)))
    took = (time.perf_counter() - begin) * MILLI
    return [(after - before) * MILLI for begun in found for before, after in pairwise(begun)], took
