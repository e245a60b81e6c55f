from collections.abc import Callable
from typing import Any

from typer.testing import Result

from tests.cli.conftest import ASK_ID, Wire, an_ask, page, problem

Signoff = Callable[..., Result]
ASK, COMMENTS = f"/api/asks/{ASK_ID}", f"/api/asks/{ASK_ID}/comments"


def said(text: str, **given: Any) -> dict[str, Any]:
    person = {"kind": "person", "author": "ada@example.org", "author_name": "Ada", "to_agent": False, "state": None}
    return {"id": "1", "ask_id": ASK_ID, "text": text, **person, **given}


def test_a_comment_is_said(wire: Wire, signoff: Signoff) -> None:
    wire.on("POST", COMMENTS, said("Look."))
    assert signoff("comment", ASK_ID, "Look.").stdout == "Comment added.\n"
    assert wire.body("POST", COMMENTS) == {"text": "Look.", "to_agent": False}


def test_the_agent_is_asked(wire: Wire, signoff: Signoff) -> None:
    wire.on("POST", COMMENTS, said("Why?", to_agent=True))
    assert "The agent reads its transcript" in signoff("comment", ASK_ID, "Why?", "--to-agent").stdout
    assert wire.body("POST", COMMENTS) == {"text": "Why?", "to_agent": True}


def test_a_refusal_says_why(wire: Wire, signoff: Signoff) -> None:
    wire.on("POST", COMMENTS, problem(409, "The agent is still answering."))
    result = signoff("comment", ASK_ID, "Why?", "--to-agent")
    assert result.exit_code == 1
    assert "still answering" in result.output


def test_an_ask_is_shown_with_what_was_said_about_it(wire: Wire, signoff: Signoff) -> None:
    wire.on("GET", ASK, an_ask())
    agent = {"kind": "agent", "author": "clerk", "author_name": "Clerk"}
    failed = said("The model is away.", **agent, state="failed")
    comments = (said("Why?\nReally?", to_agent=True), said("[red]So\u202e.", **agent, state="answered"), failed)
    wire.on("GET", COMMENTS, page(*comments, said("", **agent, state="pending")))
    shown = signoff("answer", ASK_ID).output
    assert "Ada to the agent: Why?\n    Really?" in shown
    # What an agent wrote is shown as it is.
    assert "Clerk (agent): [red]So\\u202e." in shown
    assert "No answer. The model is away." in shown
    assert "Clerk (agent): … is reading its transcript" in shown
