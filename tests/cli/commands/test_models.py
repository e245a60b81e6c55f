"""What the terminal says about models, before and instead of a run."""

from collections.abc import Callable

from typer.testing import Result

from tests.cli.conftest import RUN_ID, Wire, a_run, page, problem, sse

Signoff = Callable[..., Result]
PROVIDERS = {
    "items": [
        {
            "name": "anthropic",
            "state": "missing",
            "found": [],
            "keys": ["ANTHROPIC_API_KEY"],
            "address": "ANTHROPIC_BASE_URL",
            "prefixes": ["anthropic"],
        },
        {
            "name": "openai",
            "state": "ready",
            "found": ["OPENAI_API_KEY"],
            "keys": ["OPENAI_API_KEY"],
            "address": "OPENAI_BASE_URL",
            "prefixes": ["openai", "openai-chat"],
        },
        {"name": "ollama", "state": "here", "found": [], "keys": [], "address": "OLLAMA_BASE_URL", "prefixes": []},
        {"name": "demo", "state": "ready", "found": [], "keys": [], "address": None, "prefixes": ["demo"]},
    ],
    "total": 4,
    "works_here": True,
}


def test_the_list_says_what_was_found_and_what_to_set(signoff: Signoff, wire: Wire) -> None:
    wire.on("GET", "/api/models", PROVIDERS)
    said = signoff("models").output
    assert "not connected: set ANTHROPIC_API_KEY" in said
    assert "ready, found OPENAI_API_KEY" in said
    assert "OLLAMA_BASE_URL" in said
    assert "export ANTHROPIC_API_KEY=… ; make run\n" in said
    elsewhere = signoff("--url", "http://127.0.0.1:8471", "models").output
    assert "export ANTHROPIC_API_KEY=… ; make run PORT=8471\n" in elsewhere


def test_a_test_ends_as_the_model_does(signoff: Signoff, wire: Wire) -> None:
    tested = {
        "model": "openai:x",
        "works": True,
        "seconds": 0.8,
        "message": "Works, answered in 0.8 s.",
        "remedy": None,
    }
    wire.on(
        "POST", "/api/models/test", tested, tested | {"works": False, "message": "No such model.", "remedy": "Look."}
    )
    works = signoff("models", "test", "openai:x")
    assert (works.exit_code, "Works, answered in 0.8 s." in works.output) == (0, True)
    assert wire.body("POST", "/api/models/test") == {"model": "openai:x"}
    fails = signoff("models", "test", "openai:x")
    assert (fails.exit_code, "No such model." in fails.output, "Look." in fails.output) == (1, True, True)


def test_a_list_of_models_says_when_it_is_not_the_providers_own(signoff: Signoff, wire: Wire) -> None:
    offered = {"provider": "google", "models": ["google:a"], "listed": False, "problem": "It could not be reached."}
    wire.on("GET", "/api/models/google", offered)
    said = signoff("models", "list", "google").output
    assert "google:a" in said
    assert "It could not be reached." in said


def _started(signoff: Signoff, wire: Wire, **agent: object) -> Result:
    wire.on("GET", "/api/agents/writer", {"slug": "writer", "model": "anthropic:x", "fallback_models": []} | agent)
    wire.on("GET", "/api/models", PROVIDERS)
    wire.on("POST", "/api/runs", a_run())
    return signoff("run", "Write", "--agent", "writer", "--detach")


def test_a_run_whose_model_has_no_key_is_started_with_a_warning(signoff: Signoff, wire: Wire) -> None:
    started = _started(signoff, wire)
    assert started.exit_code == 0
    assert "ANTHROPIC_API_KEY is not set on the server" in started.stderr
    assert wire.body("POST", "/api/runs")["agent"] == "writer"


def test_a_run_whose_fallback_has_one_is_started_without(signoff: Signoff, wire: Wire) -> None:
    assert "is not set" not in _started(signoff, wire, fallback_models=["openai:y"]).stderr


def test_a_server_whose_workers_may_have_the_key_starts_without_a_warning(signoff: Signoff, wire: Wire) -> None:
    wire.on("GET", "/api/agents/writer", {"slug": "writer", "model": "anthropic:x"})
    wire.on("GET", "/api/models", PROVIDERS | {"works_here": False})
    wire.on("POST", "/api/runs", a_run())
    assert "is not set" not in signoff("run", "Write", "--agent", "writer", "--detach").stderr


def test_an_older_server_starts_runs_as_before(signoff: Signoff, wire: Wire) -> None:
    wire.on("GET", "/api/agents/writer", {"slug": "writer", "model": "anthropic:x"})
    wire.on("GET", "/api/models", problem(404, "Not found"))
    wire.on("POST", "/api/runs", a_run())
    assert signoff("run", "Write", "--agent", "writer", "--detach").exit_code == 0


def test_the_end_of_a_demo_leads_to_a_real_model(signoff: Signoff, wire: Wire) -> None:
    wire.on("GET", f"/api/runs/{RUN_ID}", a_run(status="completed", output={"summary": "Ready."}))
    wire.on("GET", f"/api/runs/{RUN_ID}/events", sse((1, "run.ended", {})))
    wire.on("GET", f"/api/runs/{RUN_ID}/deliverables", page())
    wire.on("GET", "/api/agents/writer", {"slug": "writer", "model": "demo:writer"}, {"slug": "writer", "model": "a:b"})
    assert "To connect a model: signoff models" in signoff("runs", "follow", RUN_ID).output
    assert "connect" not in signoff("runs", "follow", RUN_ID).output
