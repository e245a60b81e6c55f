"""From nothing to ready, and how long the first model call takes: `signoff serve` with a model on loopback."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench import http
from bench.measure import Size, p50
from bench.stage import Place
from bench.table import Row
from tests.wire import DONE, Model, ModelServer

LATER = 5
# How long a person needs at least, to start something after the server is up.
PAUSE = 3.0


def cold_start(place: Place, size: Size) -> Iterator[Row]:
    db, folder, url = place.db, *place.fresh()
    asked, model = list[float](), Model()

    def answer(_request: dict[str, Any]) -> dict[str, Any]:
        asked.append(time.perf_counter())
        return DONE

    name, serving = model.play("bench", answer), ModelServer(model)
    try:
        first = _started(folder, url, model, name, asked)
        found = [_started(folder, url, model, name, asked) for _ in range(size.starts)]
        rested = _started(folder, url, model, name, asked, PAUSE)
    finally:
        serving.close()
    yield Row("cold start, first (migrates)", db, "s", first.ready_after, note="`signoff serve` → /readyz")
    note = f"median of {size.starts} starts on what is there already"
    yield Row("cold start, again", db, "s", p50([each.ready_after for each in found]), "< 1.5 s", note=note)
    more = p50([each.first_call - each.later_calls for each in found])
    note = f"more than later ones, which take {p50([each.later_calls for each in found]):.3f} s from start to model"
    yield Row("  first model call, at once", db, "s", more, "< 0.3 s", note=note)
    more, note = rested.first_call - rested.later_calls, f"{PAUSE:g} s after it was ready"
    yield Row("  first model call, later", db, "s", more, "< 0.3 s", note=note)


@dataclass(frozen=True)
class _Started:
    """Seconds to ready, and from starting a run to the model's being asked: the first time, and later."""

    ready_after: float
    first_call: float
    later_calls: float


def _started(folder: Path, url: str, model: Model, name: str, asked: list[float], pause: float = 0) -> _Started:
    with http.signoff(folder, url, OPENAI_BASE_URL=model.url, OPENAI_API_KEY="none") as running:
        client = running.client
        client.post("/api/agents", json={"slug": "bench", "name": "Bench", "model": name})
        time.sleep(pause)
        calls = list[float]()
        for _ in range(LATER + 1):
            seen, begin = len(asked), time.perf_counter()
            client.post("/api/runs", json={"agent": "bench", "task": "Look around."}).raise_for_status()
            while len(asked) == seen and time.perf_counter() - begin < 30:
                time.sleep(0.001)
            calls.append(asked[seen] - begin)
            # The run ends before the next one starts.
            time.sleep(0.2)
        return _Started(running.ready_after, calls[0], p50(calls[1:]))
