"""`.venv-prefect/bin/python bench/chain_at_prefect.py STEPS RUNS`: the same chain in Prefect, times as JSON.

Run by `bench.workflows` in the peer's own environment, so it imports nothing of ours."""

import json
import sys
import time

from prefect import flow, task


@task
def step(begun: list[float]) -> list[float]:
    return [*begun, time.perf_counter()]


@flow
def chain(steps: int) -> list[float]:
    begun = list[float]()
    for _ in range(steps):
        begun = step(begun)
    return begun


if __name__ == "__main__":
    steps, runs = map(int, sys.argv[1:])
    # The first one starts Prefect's server, and only warms up.
    found = [chain(steps) for _ in range(runs + 1)][1:]
    print("TIMES " + json.dumps(found))
