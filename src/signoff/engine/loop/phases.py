"""What a run does before it works: clarify, plan. Pure: what the model reads and is offered in each phase."""

from signoff.engine.calls.plan import PROPOSE, plan_in_text
from signoff.engine.calls.question_builder import wants_approval
from signoff.engine.claimed_run import ClaimedRun
from signoff.engine.model.history import SIGNAL
from signoff.engine.model.reply import ModelReply, RawCall
from signoff.kit.ids import new_id
from signoff.policy.evaluate import Autonomy
from signoff.policy.risk import READING
from signoff.runs.models import Call, Run
from signoff.runs.states import CallStatus, Phase, RunStatus
from signoff.tools.registry import Tool

CLARIFYING = frozenset({"ask_question", "clarification_complete", "report_progress"})
BEYOND_CLARIFYING = frozenset({"complete_task", "create_deliverable", PROPOSE})
INSTRUCTIONS = {
    Phase.CLARIFYING: """\
Now you clarify the task. If something that matters is unclear, ask one short question with ask_question.
When the task is clear, or was clear from the start, call clarification_complete. Do not begin with the work yet.""",
    Phase.PLANNING: """\
Now you plan. If the person only wants an answer in words, give it as plain text: that ends the task.
Otherwise read what you need with tools that only read, then call propose_plan with every step: its tool, its exact
arguments and its purpose. Nothing else runs until a person has approved the plan.""",
}
MILESTONES = "At the end of every phase of the work call request_review and wait before you begin the next."


def instructions_for(run: Run) -> str | None:
    """What the model reads about the phase it is in."""
    phase = Phase(run.phase)
    if phase is Phase.WORKING:
        return MILESTONES if run.autonomy == Autonomy.APPROVE_MILESTONES.value else None
    return INSTRUCTIONS[phase]


def offered(run: Run, tools: list[Tool]) -> list[Tool]:
    """The tools that make sense in a phase."""
    match Phase(run.phase):
        case Phase.CLARIFYING:
            return [tool for tool in tools if tool.name in CLARIFYING]
        case Phase.PLANNING:
            hidden = ("clarification_complete", "create_deliverable")
            own = [tool for tool in tools if tool.is_control and tool.name not in hidden]
            return own + [tool for tool in tools if not tool.is_control and tool.operation_type in READING]
        case Phase.WORKING:
            hidden = ("clarification_complete",) if run.mode == "plan" else ("clarification_complete", PROPOSE)
            return [tool for tool in tools if tool.name not in hidden]


def written_calls(run: Run, reply: ModelReply) -> list[RawCall]:
    """Text that stands for a call: a question while clarifying, a plan in JSON while planning."""
    text = reply.text.strip()
    if not text:
        return []
    if run.phase == Phase.CLARIFYING.value:
        return [RawCall(f"{SIGNAL}{new_id()}", "ask_question", {"question": text})]
    plan = plan_in_text(text) if run.phase == Phase.PLANNING.value else None
    return [RawCall(f"{SIGNAL}{new_id()}", PROPOSE, plan)] if plan else []


def waiting_status(claimed: ClaimedRun) -> RunStatus:
    """Approvals come before questions in what the run says it waits for; a clarification leaves it clarifying."""
    if claimed.run.phase == Phase.CLARIFYING.value:
        return RunStatus.CLARIFYING
    waiting = [call for call in claimed.unfinished if call.status == CallStatus.WAITING.value]
    approvals = any(not _asks(claimed, call) or wants_approval(call.arguments) for call in waiting)
    return RunStatus.WAITING_APPROVAL if approvals else RunStatus.WAITING_INPUT


def _asks(claimed: ClaimedRun, call: Call) -> bool:
    """Whether a call that waits is a question: the agent's own, or its server's after it was begun."""
    return call.tool == "ask_question" or (call.attempt > 0 and claimed.is_connected(call.tool))
