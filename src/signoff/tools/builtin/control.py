"""Control tools, which every agent has. Declared here; the engine executes them in the reply's own transaction."""

from typing import Annotated, Any, Literal, NoReturn

from pydantic import BaseModel, ConfigDict, Field

from signoff.kit.jsons import JsonObject
from signoff.tools.registry import Tool, tool

Percentage = Annotated[float, Field(ge=0, le=100)]


class ProposedStep(BaseModel):
    model_config = ConfigDict(extra="ignore")

    tool: str
    arguments: JsonObject = {}
    purpose: str = ""
    id: str | None = None


def _engine_only() -> NoReturn:
    raise AssertionError("control tools are executed by the engine")


def report_progress(
    current_step: str,
    completed_steps: list[str] | None = None,
    remaining_steps: list[str] | None = None,
    percentage: Percentage | None = None,
    message: str | None = None,
) -> None:
    """Tell the person who watches how far you are. Do so at every new step."""
    _engine_only()


def create_deliverable(
    name: str,
    type: Literal["markdown", "csv", "json", "pdf", "code", "image", "html", "patch", "file"] | None = None,
    content: str | None = None,
    path: str | None = None,
    url: str | None = None,
    description: str = "",
) -> None:
    """Hand over a result. The same name again makes a new version.

    Give one of: `content`, the text itself, pictures and PDFs as base64; `path`, a file of your folder of any size,
    which must be there already; `url`, the address of something elsewhere. Without a type, the content tells.
    """
    _engine_only()


def ask_question(
    question: str,
    type: Literal["blocking", "non_blocking", "approval", "error_recovery"] = "blocking",
    responseType: Literal["text", "choice", "boolean", "approval", "number", "form"] = "text",
    options: list[Any] | None = None,
    schema: JsonObject | None = None,
    context: str | JsonObject | None = None,
    timeoutMinutes: Annotated[float, Field(gt=0)] | None = None,
    defaultResponse: Any = None,
    template: Literal["members", "agents", "connections"] | None = None,
    followUp: bool = False,
) -> None:
    """Ask a person. Ask only what you cannot find out yourself.

    The work waits for the answer, unless the type is non_blocking: then the defaultResponse counts at once and a later
    answer reaches you as a message. When nobody answers in time the defaultResponse counts, else the run fails.
    An approval is given by an approver and never by its own defaultResponse.
    `template` fills the options of a choice from the workspace; `followUp` continues your last question.
    """
    _engine_only()


def request_review(phase: str, summary: str, next: str | None = None) -> None:
    """Stop at the end of a phase for a person to review what you did before you go on with the next."""
    _engine_only()


def request_budget(
    why: str,
    credits: Annotated[float, Field(gt=0, le=1_000_000)] | None = None,
    hours: Annotated[float, Field(gt=0, le=24)] | None = None,
    iterations: Annotated[int, Field(ge=1, le=100_000)] | None = None,
) -> None:
    """Ask for more credits, hours or iterations, when a limit comes close and the work is worth it."""
    _engine_only()


def clarification_complete(summary: str, key_requirements: list[str] | None = None) -> None:
    """Say that the task is clear now, and begin with the work."""
    _engine_only()


def propose_plan(steps: list[ProposedStep], summary: str = "") -> None:
    """Put the whole plan before a person: every step with its tool, its exact arguments and its purpose.

    Approved steps are carried out for you, in order; you then get their results.
    """
    _engine_only()


def read_result(call: str, offset: Annotated[int, Field(ge=0)] = 0) -> None:
    """Read the result of an earlier call of yours again, a piece at a time: where it was cut, or cleared to save room.

    `call` is the number that stands there, such as 12.1.
    """
    _engine_only()


def complete_task(summary: str, output: Any = None, key_findings: list[str] | None = None) -> None:
    """Say that the whole task is done. Call it once, at the very end, after every result is handed over."""
    _engine_only()


_TITLES = {
    report_progress: "{current_step}",
    create_deliverable: "Deliver {name}",
    ask_question: "Ask: {question}",
    complete_task: "Complete the task",
    request_review: "Review of {phase}",
    request_budget: "Ask for more budget",
    clarification_complete: "The task is clear",
    propose_plan: "Propose a plan",
    read_result: "Read the result of call {call} again",
}
CONTROL_TOOLS: list[Tool] = [
    tool(is_control=True, operation_type="own_means", risk="low", idempotent=True, source="builtin", title=title)(each)
    for each, title in _TITLES.items()
]
