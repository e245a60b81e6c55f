"""Which models can be used, whether they work, and what nobody learns on the way."""

from collections.abc import Callable

import httpx
import pytest

from signoff.api.routes.model_routes import TESTS_PER_MINUTE
from tests.house import House
from tests.wire import Model, fails, says

SECRET = "a-very-secret-key-0123456789"


@pytest.fixture(scope="module")
def kind() -> str:
    """A test of a model touches no row but the record."""
    return "sqlite"


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("ANTHROPIC_API_KEY", SECRET)
    return SECRET


def test_the_list_says_which_variables_were_found_and_never_what_they_hold(
    house: House, model: Model, key: str, viewer: httpx.Client
) -> None:
    answer = viewer.get("/api/models")
    found = {each["name"]: each for each in answer.json()["items"]}
    assert (found["anthropic"]["state"], found["anthropic"]["found"]) == ("ready", ["ANTHROPIC_API_KEY"])
    assert (found["openai"]["state"], found["openai"]["found"]) == ("ready", ["OPENAI_BASE_URL"])
    assert (found["google"]["state"], found["google"]["keys"]) == ("missing", ["GOOGLE_API_KEY", "GEMINI_API_KEY"])
    assert (found["ollama"]["state"], found["demo"]["state"]) == ("here", "ready")
    assert answer.json()["works_here"] is True
    assert SECRET not in answer.text
    assert model.url not in answer.text


def test_a_model_that_works_is_told_with_its_time_and_goes_on_the_record(house: House, model: Model) -> None:
    name = model.script("healthy", says("works"))
    tested = house.post("/api/models/test", {"model": name})
    assert (tested["works"], tested["remedy"]) == (True, None)
    assert tested["message"].startswith("Works, answered in ")
    assert len(model.asked("healthy")) == 1
    [entry] = house.get("/api/audit", action="model.tested", subject=name)["items"]
    assert entry["data"]["works"] is True


def test_a_model_that_does_not_is_told_in_its_providers_words_without_key_and_address(
    house: House, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    name = model.script("locked", fails(401, f"Your key {SECRET} is unknown at {model.url}."))
    answer = house.client.post("/api/models/test", json={"model": name})
    assert answer.json()["works"] is False
    assert "Your key [hidden] is unknown at [its address]" in answer.json()["message"]
    assert "Set a key that the provider accepts" in answer.json()["remedy"]
    assert SECRET not in answer.text
    assert model.url not in answer.text


def test_a_run_that_meets_the_same_error_shows_neither_key_nor_address(
    house: House, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    name = model.script("locked-run", fails(401, f"Your key {SECRET} is unknown at {model.url}."))
    ask = house.ask(house.start(house.agent("locked-out", name)))
    assert "Your key [hidden] is unknown at [its address]" in ask["description"]


def test_an_empty_reply_is_no_working_model(house: House, model: Model) -> None:
    tested = house.post("/api/models/test", {"model": model.script("silent", says("", *()))})
    assert (tested["works"], tested["message"]) == (False, "Its reply was empty.")


def test_a_missing_key_names_its_variable(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GOOGLE_API_KEY", raising=False)
    monkeypatch.delenv("GEMINI_API_KEY", raising=False)
    tested = house.post("/api/models/test", {"model": "google:gemini-2.5-flash"})
    assert tested["works"] is False
    assert "GOOGLE_API_KEY" in tested["message"]
    assert tested["remedy"] == "Set GOOGLE_API_KEY where the server is started, and restart it."


@pytest.mark.parametrize(
    "body",
    [
        {"model": "elsewhere:x"},
        {"model": "openai-chat:../../admin"},
        {"model": "google:x/../../v1/files"},
        {"model": "google:x?key=1"},
        {"model": "openai-chat:x", "base_url": "http://127.0.0.1:1"},
        {"model": "openai-chat:x", "provider": {"base_url": "http://127.0.0.1:1"}},
        {"model": "openai-chat:"},
    ],
)
def test_no_request_chooses_where_a_test_goes(house: House, model: Model, body: dict[str, str]) -> None:
    before = len(model.requests)
    assert house.client.post("/api/models/test", json=body).status_code == 422
    assert len(model.requests) == before


def test_the_models_of_a_provider_are_listed_by_itself_or_else_by_us(house: House, model: Model) -> None:
    model.script("listed")
    listed = house.get("/api/models/openai")
    assert listed["listed"] is True
    assert "openai-chat:listed" in listed["models"]
    known = house.get("/api/models/google")
    assert (known["listed"], known["problem"]) == (False, None)
    assert "google:gemini-2.5-flash" in known["models"]
    assert house.client.get("/api/models/nobody-s").status_code == 404


def test_a_provider_that_cannot_be_asked_says_so_without_its_address(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OLLAMA_BASE_URL", "http://127.0.0.1:9/v1")
    answer = house.client.get("/api/models/ollama")
    assert (answer.json()["listed"], answer.json()["problem"]) == (False, "It could not be reached.")
    assert "127.0.0.1" not in answer.text


def test_tests_are_for_admins_and_not_too_many(
    house: House, model: Model, person: Callable[[str], httpx.Client]
) -> None:
    name = model.script("often", says("works"))
    assert person("approver").post("/api/models/test", json={"model": name}).status_code == 403
    statuses = [
        house.client.post("/api/models/test", json={"model": name}).status_code for _ in range(TESTS_PER_MINUTE)
    ]
    assert statuses[-1] == 429
    assert len(model.asked("often")) < TESTS_PER_MINUTE
