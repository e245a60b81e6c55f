"""The agent's own means. Declared here; their effects share the step's transaction, so the engine carries them out."""

from typing import Annotated, Any, Literal, NoReturn

from pydantic import Field

from signoff.kit.jsons import JsonObject
from signoff.tools.registry import Tool, tool

Percentage = Annotated[float, Field(ge=0, le=100)]


def _engine_only() -> NoReturn:
    raise AssertionError("the engine carries out the agent's own means")


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
    type: Literal["markdown", "csv", "json", "pdf", "code", "image", "html", "patch"],
    content: str,
    description: str = "",
) -> None:
    """Hand over a result. The same name again makes a new version. Pictures and PDFs are given as base64."""
    _engine_only()


def ask_question(
    question: str,
    type: Literal["blocking", "non_blocking", "approval", "error_recovery"] = "blocking",
    responseType: Literal["text", "choice", "boolean", "approval", "number", "form"] = "text",
    options: list[Any] | None = None,
    schema: JsonObject | None = None,
    context: str | None = None,
    timeoutMinutes: float | None = None,
    defaultResponse: Any = None,
) -> None:
    """Ask a person. The work waits for the answer. Ask only what you cannot find out yourself."""
    _engine_only()


def complete_task(summary: str, output: Any = None, key_findings: list[str] | None = None) -> None:
    """Say that the whole task is done. Call it once, at the very end, after every result is handed over."""
    _engine_only()


_own = tool(own_means=True, operation_type="own_means", risk="low", idempotent=True, source="builtin")
MEANS: list[Tool] = [_own(each) for each in (report_progress, create_deliverable, ask_question, complete_task)]
