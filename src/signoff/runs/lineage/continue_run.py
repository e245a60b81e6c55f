"""Go on from an ended run with new instructions."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from signoff.asks.answers.late import late_answer
from signoff.deliverables import actions as deliverables
from signoff.deliverables.actions import Origin
from signoff.kit import jsons
from signoff.kit.actor import Actor, Role
from signoff.kit.jsons import Written
from signoff.runs import actions
from signoff.runs.granting.actions import carry_over
from signoff.runs.large_values import value_of
from signoff.runs.lineage.continuation import follower
from signoff.runs.lineage.transcript_digest import transcript_digest
from signoff.runs.models import Call, Message, Run
from signoff.runs.schemas import LateAnswer
from signoff.runs.states import ENDED, IllegalMove, RunStatus
from signoff.runs.transcript.messages import add_messages, new_message

# The end of a long run is what matters, and all of it might not fit into memory.
LAST_MESSAGES = 60


def continue_run(
    session: Session, actor: Actor, ended: Run, run_id: str, instructions: str, answers: Sequence[LateAnswer] = ()
) -> Run:
    """A new run that has the deliverables of the old one, knows how it went, and has the answers that it lacked."""
    actor.require(Role.MEMBER)
    if RunStatus(ended.status) not in ENDED:
        raise IllegalMove("This run has not ended. Send it a message instead.", state={"status": ended.status})
    if ended.kind != "agent":
        raise IllegalMove("A workflow is retried, not continued.", state={"status": ended.status})
    run = follower(session, actor, ended)
    run.id = run_id
    said = [late_answer(session, actor, ended.id, each.ask_id, each.value) for each in answers]
    words = [f"New instructions:\n{instructions}"] if instructions else []
    run.task = "\n".join([f"{ended.task}\n\nThis continues an earlier run.", *said, *words])
    given = {"previous_output": value_of(session, ended, "output"), "previous_status": ended.status}
    # What is too long for a prompt stands in a file.
    run.input = Written(jsons.exact(given)) if "output" in ended.apart else given
    run.continues_id, run.continuation_count = ended.id, ended.continuation_count + 1
    actions.launch(session, actor, run, transcript=lambda made: _open(session, ended, made))
    carry_over(session, actor, ended, run)
    return run


def _open(session: Session, ended: Run, run: Run) -> None:
    """The task is a person's word; what the old run said is quoted in a note of its own."""
    origin = Origin(run.id, run.title, run.agent_subject.slug, run.agent_name)
    carried = deliverables.carry_over(session, run.workspace_id, ended.id, origin)
    latest = select(Message).where(Message.run_id == ended.id).order_by(Message.id.desc()).limit(LAST_MESSAGES)
    messages = list(reversed(session.scalars(latest).all()))
    turns = {message.turn for message in messages if message.role == "assistant"}
    made = (
        select(Call)
        .where(Call.run_id == ended.id, Call.undoes.is_(None), Call.turn.in_(turns))
        .order_by(Call.turn, Call.position)
    )
    begun = _opening(session, ended)
    later = [message for message in messages if begun is None or message.id != begun.id]
    digest = jsons.clean_text(transcript_digest(begun, later, session.scalars(made).all(), carried))
    opening = new_message(run, "user", None, author=run.created_by, text=actions.opening(run))
    add_messages(session, [opening, new_message(run, "system", None, text=digest)])


def _opening(session: Session, run: Run) -> Message | None:
    """With what the work began: the first line of the first run, which has the context and the input."""
    while (before := run.continues_id or run.retries_id) is not None:
        run = session.get_one(Run, before)
    return session.scalars(select(Message).where(Message.run_id == run.id).order_by(Message.id).limit(1)).first()
