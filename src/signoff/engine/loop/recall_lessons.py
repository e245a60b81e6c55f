"""What people corrected before reaches the agent before it proposes again."""

from sqlalchemy.orm import Session

from signoff.engine.claimed_run import ClaimedRun
from signoff.lessons.queries import by_tool
from signoff.lessons.relevance import most_relevant, sentence

MOST_LESSONS = 8
MOST_PER_TOOL = 3


def lessons_for(session: Session, claimed: ClaimedRun) -> list[str]:
    """The corrections that matter most for this agent's tools, in words; one query each time a worker takes the run."""
    tools = {tool.name for tool in claimed.tools if not tool.is_control or tool.name == "propose_plan"}
    found = by_tool(session, claimed.actor, tools)
    task, words = {"task": claimed.run.task}, dict[str, frozenset[str]]()
    chosen = [
        lesson
        for known in found.values()
        for lesson in most_relevant(known, claimed.run.agent_subject.slug, task, MOST_PER_TOOL, words)
    ]
    return [sentence(lesson) for lesson in sorted(chosen, key=lambda each: each.id)[-MOST_LESSONS:]]
