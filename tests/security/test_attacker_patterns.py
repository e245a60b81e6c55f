"""Foreign patterns and schemas at every door that takes one: nobody else waits for them, and nothing is fetched."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx
import pytest

from signoff.kit.ids import new_id
from tests.contract.ruling import rule, text_of
from tests.contract.scenes import agent_that, problem, run_that
from tests.house import ENDED, House, until
from tests.wire import call, says

LONG = "a" * 40 + "!"
PATTERNS = {
    "nested": "^(a+)+$",
    "overlapping": "^(a|aa)+$",
    "stars": "^(.*a){20}$",
    "classes": "^([a-zA-Z]+)*$",
    "back-reference": r"^(a+)\1+$",
    "look-ahead": "^(?=(a+))+$",
    "repeated": "^(((a{1,30}){1,30}){1,30}){1,30}$",
    "long": "a?" * 5000 + "a" * 5000,
    "unbalanced": "(((((",
    "deep": "(" * 2000 + "a" + ")" * 2000,
}


def nested(depth: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(depth):
        schema = {"type": "object", "properties": {"a": schema}}
    return schema


def doubled(levels: int) -> dict[str, Any]:
    """Each definition holds the next one twice."""
    steps = {f"d{n}": {"allOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 2} for n in range(levels)}
    return {"$ref": "#/$defs/d0", "$defs": {**steps, f"d{levels}": {"type": "object"}}}


@pytest.fixture(scope="module")
def kind() -> str:
    return "sqlite"


class Elsewhere:
    """A server that should never be asked."""

    def __init__(self) -> None:
        self.asked = list[str]()
        elsewhere = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                elsewhere.asked.append(self.path)
                self.send_response(200)
                self.end_headers()
                self.wfile.write(b"{}")

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[Elsewhere]:
    server = Elsewhere()
    yield server
    server.close()


def schemas(elsewhere: Elsewhere) -> dict[str, dict[str, Any]]:
    found = {name: {"properties": {"a": {"pattern": each}}} for name, each in PATTERNS.items()}
    return found | {
        "as names": {"patternProperties": {PATTERNS["nested"]: {"type": "string"}}},
        "names": {"propertyNames": {"pattern": PATTERNS["nested"]}},
        "itself": {"$ref": "#"},
        "itself again": {"allOf": [{"$ref": "#"}, {"$ref": "#"}]},
        "doubled": doubled(40),
        "nested deep": nested(400),
        "wide": {"properties": {f"p{n}": {"enum": list(range(20))} for n in range(5_000)}},
        "elsewhere": {"$ref": f"{elsewhere.url}/schema.json"},
        "dynamic elsewhere": {"$dynamicRef": f"{elsewhere.url}/schema.json#x"},
        "its draft elsewhere": {"$schema": f"{elsewhere.url}/draft.json", "type": "object"},
        "a file": {"$ref": "file:///etc/hostname"},
        "many numbers": {"properties": {"a": {"multipleOf": 1e-300}}},
        "no schema": {"type": "nonsense", "properties": 3},
    }


NAMES = [*PATTERNS, "as names", "names", "itself", "itself again", "doubled", "nested deep", "wide", "elsewhere"]
NAMES += ["dynamic elsewhere", "its draft elsewhere", "a file", "many numbers", "no schema"]
# Those that an engine without backtracking checks in a bounded time; all others are refused.
SOUND_PATTERNS = {"nested", "overlapping", "stars", "classes"}
SOUND = SOUND_PATTERNS | {"as names", "names", "many numbers"}


@pytest.fixture
def nobody_waits(house: House) -> Iterator[None]:
    """Others are served while it happens, and work goes on afterwards."""
    over, slow = threading.Event(), list[str]()

    def look() -> None:
        with httpx.Client(base_url=house.url, timeout=20, verify=False) as client:
            while not over.wait(0.1):
                try:
                    client.get("/healthz")
                except httpx.HTTPError as error:
                    slow.append(str(error))

    watcher = threading.Thread(target=look)
    watcher.start()
    yield
    over.set()
    watcher.join()
    assert slow == []
    assert house.ended(house.start(agent_that(house)))["status"] == "completed"


def stands(house: House, run: str) -> str:
    """What became of a run: its open ask's id, or how it ended."""

    def now() -> str | None:
        asks, status = house.asks(run), house.run(run)["status"]
        return asks[0]["id"] if asks else status if status in ENDED else None

    return until(now, 30)


@pytest.mark.usefixtures("nobody_waits")
def test_an_agents_form_holds_nobody_up(house: House, elsewhere: Elsewhere) -> None:
    asked = {"question": "Which?", "type": "blocking", "responseType": "form"}
    forms = schemas(elsewhere)
    runs = {name: run_that(house, says("", call("ask_question", {**asked, "schema": forms[name]}))) for name in NAMES}
    for name, run in runs.items():
        stood = stands(house, run)
        assert (stood not in ENDED) == (name in SOUND), f"{name} {stood}"
        if name in SOUND:
            # The first answer breaks a pattern, and fits whatever else a form says; the second fits all.
            expected = [422, 200, 409, 409] if name in SOUND_PATTERNS else [200, 409, 409, 409]
            assert answers(house, stood) == expected, name
        assert stands(house, run) == "completed", name
    assert elsewhere.asked == []


def answers(house: House, ask: str) -> list[int]:
    """How each of some answers was received."""
    values = ({"a": LONG}, {LONG: LONG}, {"a": {"a": {}}}, {"a": "a"})
    bodies = [{"decision": "respond", "value": value} for value in values]
    return [house.client.post(f"/api/asks/{ask}/answer", json=body, timeout=20).status_code for body in bodies]


@pytest.mark.usefixtures("nobody_waits")
def test_an_output_schema_holds_nobody_up(house: House, elsewhere: Elsewhere) -> None:
    ends = says("", call("complete_task", {"summary": "done", "output": {"a": LONG, LONG: 1}}))
    taken, forms = list[str](), schemas(elsewhere)
    for name in NAMES:
        slug = f"m{new_id()}"
        agent = {"slug": slug, "name": slug, "model": house.model.script(slug, ends, ends), "tools": []}
        agent |= {"output_schema": forms[name], "limits": {"max_iterations": 3}}
        made = house.client.post("/api/agents", json=agent, timeout=20)
        assert made.status_code == (201 if name in SOUND else 422), f"{name} {made.text}"
        assert house.client.get(f"/api/agents/{slug}").status_code == (200 if name in SOUND else 404), name
        if name in SOUND:
            taken.append(house.start(slug))
    for run in taken:
        assert stands(house, run) in ENDED
    assert elsewhere.asked == []


@pytest.mark.usefixtures("nobody_waits")
def test_a_rule_takes_no_pattern(house: House) -> None:
    call_ = {"tool": "write_file", "arguments": {"path": "a", "content": LONG * 2_000}, "agent": "x"}
    for name, pattern in PATTERNS.items():
        found = {"data_threshold": {"field": "content", "operator": "matches", "value": pattern}}
        yaml = text_of(rule("*", {"deny": True}, tool="write_file", **found))
        checked = house.client.post("/api/rules/check", json={"yaml": yaml}, timeout=20).json()
        assert [each["message"].partition(".")[0] for each in checked["errors"]] == ["unknown operator `matches`"], name
        simulated = house.client.post("/api/rules/simulate", json={"yaml": yaml}, timeout=20)
        put = house.client.put("/api/rules", json={"yaml": yaml}, timeout=20)
        assert [problem(each, 422)["code"] for each in (simulated, put)] == ["invalid_rules"] * 2, name
        assert house.client.post("/api/rules/evaluate", json=call_, timeout=20).status_code == 200


@pytest.mark.usefixtures("nobody_waits")
def test_a_bomb_of_aliases_in_a_rules_file_holds_nobody_up(house: House) -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    bomb = "\n".join(lines)
    checked = house.client.post("/api/rules/check", json={"yaml": bomb}, timeout=20)
    assert (checked.status_code, checked.json()["ok"]) == (200, False)
    assert "anchors" in checked.json()["errors"][0]["message"]
    simulated = house.client.post("/api/rules/simulate", json={"yaml": bomb}, timeout=20)
    put = house.client.put("/api/rules", json={"yaml": bomb}, timeout=20)
    assert [problem(each, 422)["code"] for each in (simulated, put)] == ["invalid_rules"] * 2


@pytest.mark.usefixtures("nobody_waits")
def test_a_deep_rules_file_is_a_clear_error(house: House) -> None:
    for text in ("[" * 100_000, "{a: " * 20_000, "a: " + "'" * 500_000, "- " * 50_000, "&a [*a]"):
        response = house.client.post("/api/rules/check", json={"yaml": text}, timeout=20)
        assert response.status_code == 200, json.dumps(response.text[:200])
        assert response.json()["ok"] is False
        assert response.json()["errors"], text[:10]
