"""What people corrected before reaches the agent before it proposes again, and the run keeps what it was told."""

from sqlalchemy.orm import Session

from signoff.engine.claimed_run import ClaimedRun
from signoff.engine.context import EngineContext
from signoff.lessons.actions import tell
from signoff.lessons.models import Lesson
from signoff.lessons.queries import that_reach, told
from signoff.lessons.relevance import most_relevant, reaches, sentence
from signoff.runs.worker.fenced_writes import write_run

MOST_LESSONS = 8
MOST_PER_TOOL = 3


async def recall(engine: EngineContext, claimed: ClaimedRun) -> list[str]:
    """The lessons that the model reads from now on, in words; put down before it reads them."""
    chosen, new = await engine.db.aread(lambda s: _look(s, claimed))
    if new:
        await engine.db.awrite(lambda s: _put_down(s, claimed, new))
    return [sentence(lesson) for lesson in chosen]


def _look(session: Session, claimed: ClaimedRun) -> tuple[list[Lesson], list[Lesson]]:
    """The corrections that matter most for this agent's tools, and those of them that the run was not told yet."""
    agent = claimed.run.agent_subject.slug
    tools = {tool.name for tool in claimed.tools if not tool.is_control or tool.name == "propose_plan"}
    found = that_reach(session, claimed.actor, {agent}, tools)
    if not found:
        return [], []
    task, words = {"task": claimed.run.task}, dict[str, frozenset[str]]()
    near = {
        lesson.id: lesson
        for tool in sorted(tools)
        for lesson in most_relevant(
            [each for each in found if reaches(each, agent, tool)], agent, task, MOST_PER_TOOL, words
        )
    }
    chosen = [near[lesson_id] for lesson_id in sorted(near)][-MOST_LESSONS:]
    before = {(each.lesson_id, each.text) for each in session.scalars(told(claimed.actor, claimed.run.id))}
    return chosen, [lesson for lesson in chosen if (lesson.id, sentence(lesson)) not in before]


def _put_down(session: Session, claimed: ClaimedRun, new: list[Lesson]) -> None:
    # Fenced: a worker that lost the run tells nobody anything.
    write_run(session, claimed.claim, claimed.run)
    tell(session, claimed.run.workspace_id, claimed.run.id, new)
