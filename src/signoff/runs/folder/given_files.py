"""Files that people give to a run, when they start it and while it works."""

from collections.abc import Sequence

from sqlalchemy.orm import Session

from signoff.asks.signatures.parties import steers
from signoff.claims.actions import wake
from signoff.files import actions as files
from signoff.files.models import Upload
from signoff.files.placement import Placement
from signoff.files.receive import Received
from signoff.kit import clock
from signoff.kit.actor import Actor, Role
from signoff.kit.settings import Settings
from signoff.runs.actions import GivenFiles
from signoff.runs.models import Message, Run
from signoff.runs.states import ENDED, IllegalMove, RunStatus
from signoff.runs.transcript.messages import emit_message


def from_uploads(settings: Settings, ids: Sequence[str], placed: Placement) -> GivenFiles:
    """Uploads that wait, for a run that starts."""

    def give(session: Session, actor: Actor, run: Run) -> Sequence[Upload]:
        # An earlier try of this transaction may have placed some.
        placed.undo()
        uploads = files.hand_over(session, actor, settings, run.id, ids, placed)
        files.mark_given(session, actor, run.id, uploads)
        return uploads

    return give


def from_run(before: Sequence[Upload]) -> GivenFiles:
    """What another run was given, for the one that does its work again; their folder is copied."""
    return lambda session, actor, run: files.give_again(session, actor, before, run.id)


def add_files(
    session: Session, actor: Actor, settings: Settings, run: Run, given: Sequence[Received], placed: Placement
) -> list[Upload]:
    """Give a run more files; its agent reads of them at its next iteration."""
    actor.require(Role.MEMBER)
    if RunStatus(run.status) in ENDED:
        raise IllegalMove(f"The run is {run.status}. Continue it, then add files.", state={"status": run.status})
    if run.kind == "workflow":
        detail = "A workflow has no folder that an agent reads. Give files to the run of the step that is at work."
        raise IllegalMove(detail, state={"status": run.status})
    placed.undo()
    # It also holds the run's row: of two who add files at once, the second sees what the first brought.
    steers(session, actor, run.id)
    uploads = files.give(session, actor, settings, run.id, given, placed)
    message = Message(run_id=run.id, role="user", author=actor.label, text=files.told(uploads))
    session.add(message)
    session.flush()
    emit_message(session, run, message)
    if run.status != RunStatus.PAUSED.value:
        wake(session, run.id, clock.now())
    return uploads
