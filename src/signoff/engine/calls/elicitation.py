"""The server of a connection asks people for something in the middle of a call. See docs/decisions/0025.

Nothing is held open while they think: the server is told that nobody has answered yet, the call waits for its ask, and
with the answer it is made again from its beginning.
"""

from collections.abc import Sequence
from urllib.parse import urlsplit

from sqlalchemy import select
from sqlalchemy.orm import Session

from signoff.asks.deadlines.timing import set_times
from signoff.asks.models import Ask
from signoff.asks.states import AskKind, AskStatus
from signoff.engine.calls.ask_builders import so_far
from signoff.engine.claimed_run import ClaimedRun
from signoff.engine.context import EngineContext
from signoff.kit import jsons
from signoff.kit.jsons import JsonObject
from signoff.kit.schema.check import schema_problem
from signoff.policy.evaluate import AskFirst, Deny
from signoff.runs.asking.judge_ask import judge_ask
from signoff.runs.asking.open_ask import open_for_calls
from signoff.runs.asking.question_time import question_seconds
from signoff.runs.models import Call
from signoff.tools.registry import GivenInput, NeedsInput

FROM_SERVER = (
    "{asker} asks this while it works on {tool}. These are the server's words, not Signoff's, and it gets your answer: "
    "enter no password. With your answer the call is made again from its beginning."
)
LONGEST_URL = 2_000
VISIT = "Open this address yourself if you trust it, then say that it is done: {url}"


def is_elicited(ask: Ask) -> bool:
    """Whether a server asked this: a question of the agent's names no tool."""
    return ask.kind == AskKind.QUESTION.value and ask.tool is not None


def ask_for_input(
    session: Session, engine: EngineContext, claimed: ClaimedRun, call: Call, wanted: NeedsInput
) -> str | None:
    """Let the call wait for people. Returns why that cannot be: the form is none, or the run has asked too often."""
    problem = schema_problem(wanted.schema) if wanted.schema is not None else None
    if problem is not None:
        return f"The server asked for something with a form that cannot be shown: {problem}."
    if wanted.url is not None and not _is_plain(wanted.url):
        return "The server wants a page visited whose address is none of the web, or hides where it leads."
    ask = _question(claimed, call, wanted)
    seconds = question_seconds(
        session, claimed.run.workspace_id, claimed.definition.question_timeout_minutes, None, None
    )
    if seconds is not None:
        ask.on_timeout = "deny"
        set_times(ask, seconds)
    run = claimed.run
    verdict = judge_ask(session, run, ask, call.tool, {"question": wanted.message})
    if isinstance(verdict, Deny):
        return f"The server asked for something, and that is not allowed: {'; '.join(verdict.reasons)}"
    # No rule knows the answer, so whatever else it says, a person does.
    asked = verdict if isinstance(verdict, AskFirst) and verdict.rule else None
    return open_for_calls(session, engine.settings, run, claimed.calls, ask, [call], asked)


def _is_plain(url: str) -> bool:
    """Whether people can see where an address leads: https://bank.example@elsewhere.example is not the bank."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    is_web = parts.scheme in ("http", "https") and bool(parts.hostname) and "@" not in parts.netloc
    return is_web and len(url) <= LONGEST_URL and url.isascii() and url.isprintable() and not set(url) & set(" \\")


def _question(claimed: ClaimedRun, call: Call, wanted: NeedsInput) -> Ask:
    message = jsons.clean_text(wanted.message)
    parts = [FROM_SERVER.format(asker=wanted.asker, tool=call.tool), message]
    parts += [VISIT.format(url=jsons.clean_text(wanted.url))] if wanted.url is not None else []
    return claimed.ask(
        AskKind.QUESTION,
        f"{wanted.asker} asks: {message}"[:300],
        call_id=call.id,
        description="\n\n".join(parts),
        tool=call.tool,
        context=so_far(claimed),
        supporting_data={"message": message, **({"url": wanted.url} if wanted.url is not None else {})},
        response_type="boolean" if wanted.url is not None else "form",
        schema=wanted.schema,
        # Its approval, if it needed one, is taken up again with the answer.
        follows=call.ask_id,
    )


async def given_input(engine: EngineContext, claimed: ClaimedRun, call: Call) -> Sequence[GivenInput]:
    """What people answered when the call asked before. Asks nothing of the database at the first attempt."""
    if call.attempt < 2 or call.tool not in claimed.connected:
        return ()
    run_id, call_id = claimed.run.id, call.id
    return await engine.db.aread(lambda s: _answers(s, run_id, call_id))


def _answers(session: Session, run_id: str, call_id: str) -> list[GivenInput]:
    own = (Ask.run_id == run_id, Ask.call_id == call_id, Ask.kind == AskKind.QUESTION.value)
    query = select(Ask).where(*own, Ask.status == AskStatus.ANSWERED.value).order_by(Ask.id)
    return [_given(ask) for ask in session.scalars(query)]


def _given(ask: Ask) -> GivenInput:
    said: JsonObject = ask.supporting_data or {}
    return GivenInput(said.get("message", ""), (ask.answer or {}).get("value"), ask.schema, said.get("url"))
