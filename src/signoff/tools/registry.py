"""Tools: a Python function becomes something that an agent can call, with a schema, a risk and an operation type."""

import inspect
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import isfinite
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from signoff.kit.db.database import Database
from signoff.kit.errors import FieldError
from signoff.kit.jsons import JsonObject
from signoff.kit.schema.check import Check, compiled
from signoff.kit.settings import Settings
from signoff.kit.text.fields import filled
from signoff.policy.impact import Impact, by_operation
from signoff.policy.risk import Assessment, Risk, assess
from signoff.tools.effects import DryRunFunction, PreviewFunction, UndoFunction
from signoff.tools.egress import ANYWHERE, Reach
from signoff.tools.impact_statements import ImpactFunction, Statements
from signoff.tools.threads import NoThreadFree, in_thread

Function = Callable[..., Any]
# A tool that fails so often in a row is taken away for the run.
FAILURES_ALLOWED = 3
# Code that somebody installed here. What a tool of any other source says of itself is only its own word.
REVIEWED_SOURCES = frozenset({"builtin", "python"})
# How the source of a tool begins that comes with a connection; its slug follows.
OF_CONNECTION = "connection:"
ACTION_TYPES = {
    "create": "file_write",
    "modify": "file_write",
    "delete": "file_write",
    "send_message": "send_message",
    "send_email": "send_message",
    "external_api_call": "external_api",
}
# For the approver: taken off before the call is judged; no arguments of the tool.
EXTRAS: JsonObject = {
    "_reasoning": {
        "type": "string",
        "description": "Why you want to do this, for the person who may have to approve it.",
    },
    "_confidence": {"type": "number", "minimum": 0, "maximum": 1, "description": "How sure you are, from 0 to 1."},
    "_alternatives": {"type": "string", "description": "What you would do instead if it is denied."},
    "_supporting_data": {"description": "Facts and figures that help the person to decide."},
}


class ToolFailed(Exception):
    """The tool could not do it, and nothing happened; the message is for the model.

    Any other exception of a tool that is not idempotent leaves open whether it took effect: then a person is asked.
    """


class NeedsInput(Exception):
    """The other side asks people for something before it goes on: by a form, or by a page that they visit."""

    def __init__(self, asker: str, message: str, schema: JsonObject | None, url: str | None = None) -> None:
        super().__init__(message)
        self.asker = asker
        self.message = message
        self.schema = schema
        self.url = url


@dataclass(frozen=True)
class GivenInput:
    """What people answered to such a question of the same call."""

    message: str
    value: Any
    schema: JsonObject | None = None
    url: str | None = None


def _nobody_listens(_progress: float, _total: float | None, _message: str | None) -> None:
    """Where a tool only looks."""


@dataclass(frozen=True)
class ToolContext:
    """What a tool may touch: its run's own folder, and the people of its workspace."""

    workspace_id: str
    run_id: str
    agent: str
    call_id: str
    folder: Path
    settings: Settings
    db: Database
    # Grows each time that a worker takes up the run: the other side can turn away one that was overtaken.
    fence: int = 0
    # Which hosts it may reach. Whatever goes out by itself has to ask `reach.allows(host)`.
    reach: Reach = ANYWHERE
    # For an undo: calls behind this one are undone first, so how the world stands is looked at only then.
    looks_later: bool = False
    # What people answered when this call asked for it before.
    given_input: tuple[GivenInput, ...] = ()
    # Say how far it has come, of how much, in which words: people who follow the run see it.
    report: Callable[[float, float | None, str | None], None] = _nobody_listens
    # What it said it cost, in credits.
    costs: list[float] = field(default_factory=list[float], compare=False, repr=False)

    def add_cost(self, credits: float) -> None:
        """Count what this call really cost, in credits, instead of the tool's estimate. More than once adds up."""
        if not (isfinite(credits) and credits >= 0):
            raise ValueError("A cost is a number of credits that is not negative.")
        self.costs.append(credits)

    @property
    def idempotency_key(self) -> str:
        """For the other side, so that it acts once: the same at every attempt of this call, another for every call."""
        return self.call_id


@dataclass(frozen=True)
class Tool:
    """One tool as everybody sees it."""

    name: str
    description: str
    # The arguments, as an approver edits them: plain JSON Schema, wherever the tool comes from.
    schema: JsonObject
    function: Callable[[ToolContext, JsonObject], Awaitable[Any]]
    risk: Risk | None
    operation_type: str
    idempotent: bool
    estimated_cost_credits: float | None = None
    source: str = "builtin"
    title: str = ""
    # Progress, deliverable, question, completion: effects of the engine itself, never asked for.
    is_control: bool = False
    # Why a call with these arguments sends something out, although the tool as such only reads. Raises, never lowers.
    sends: Callable[[JsonObject, Reach], str | None] | None = None
    why_risky: str = ""
    # The operation type of a call with these arguments, where they decide it.
    operation_of: Callable[[JsonObject], str] | None = None
    # What a call does, or a function that states it for its arguments; without, what its operation type says.
    impact: Impact | ImpactFunction | None = None
    # It works with what an agent has, or its run was granted: by itself there would be nothing.
    of_agent: bool = False
    # Its schema was written by somebody else, and is only used as far as that costs little.
    foreign_schema: bool = False
    # What a call would change, and how it is taken back, for those that can tell.
    preview: PreviewFunction | None = None
    undo: UndoFunction | None = None
    # What the other side says that a call would do, where a person trusts it to only say so.
    dry_run: DryRunFunction | None = None
    # What has to be set up before it works, and how; None: nothing.
    missing: Callable[[Settings], str | None] | None = None
    # Why what it says of itself does not count; None: by its source.
    unreviewed: str | None = None
    # Which tool it is, and where, for those that may be another one under the same name tomorrow.
    identity: str | None = None
    # Another one since a person reviewed it: what people allowed before, they allowed for that one.
    is_changed: bool = False

    @cached_property
    def model_schema(self) -> JsonObject:
        """The same with what is for the approver, as the model sees it."""
        return self.schema | {"properties": self.schema.get("properties", {}) | EXTRAS}

    @cached_property
    def assessment(self) -> Assessment:
        by_class = assess(self.name, self.risk, self.operation_type, reviewed=self.reviewed)
        reasons = (self.why_risky,) if self.why_risky else by_class.reasons
        impact = by_operation(self.operation_type) if self.impact is None else self.impact
        # A function is asked when there are arguments.
        return Assessment(by_class.level, reasons, self._own(impact) if isinstance(impact, Impact) else None)

    def _own(self, impact: Impact) -> Impact:
        """Only what we know how to undo is reversible, never what somebody else says is."""
        undoes = self.reviewed and (self.undo is not None or not impact.kinds)
        return impact if undoes or not impact.reversible else replace(impact, reversible=False)

    @property
    def reviewed(self) -> bool:
        """A connection's tools are ours, unless they say that their server wrote them and nobody looked."""
        known = self.source in REVIEWED_SOURCES or self.source.startswith(OF_CONNECTION)
        return known and self.unreviewed is None

    @property
    def can_be_step(self) -> bool:
        """Whether a workflow can have it as a step by itself."""
        return not (self.is_control or self.of_agent)

    @property
    def differs_by_arguments(self) -> bool:
        """Whether policy has to see each call of it anew."""
        return self.sends is not None or self.operation_of is not None or callable(self.impact)

    def used_for(self, arguments: JsonObject, reach: Reach, statements: Statements) -> "Tool":
        """The tool as policy has to see it in this call."""
        used = replace(self, operation_type=self.operation_of(arguments)) if self.operation_of else self
        why = self.sends(arguments, reach) if self.sends else None
        if why is not None:
            level = max(self.assessment.level, Risk.HIGH, key=lambda risk: risk.rank)
            used = replace(used, risk=level, operation_type="external_api_call", why_risky=why)
        if callable(self.impact):
            used = replace(used, impact=statements.of(self.impact, arguments))
        return used

    @property
    def action_type(self) -> str:
        found = ACTION_TYPES.get(self.operation_type, "tool_call")
        # What a connection writes is no file here.
        return "external_api" if found == "file_write" and self.source.startswith(OF_CONNECTION) else found

    def check(self, arguments: JsonObject) -> list[FieldError]:
        """What is wrong with the arguments."""
        return self._check(arguments)

    @cached_property
    def _check(self) -> Check:
        """Compiled once: that takes longer than a hundred checks."""
        return compiled(self.schema, ours=not self.foreign_schema)

    def headline(self, arguments: JsonObject) -> str:
        """What the call does, in a few words."""
        return filled(self.title, arguments, f"Call {self.name}")

    async def run(self, context: ToolContext, arguments: JsonObject) -> Any:
        return await self.function(context, arguments)


def tool(
    *,
    risk: Risk | str | None = None,
    idempotent: bool = False,
    operation_type: str = "external_api_call",
    estimated_cost_credits: float | None = None,
    title: str = "",
    name: str | None = None,
    is_control: bool = False,
    source: str = "python",
    sends: Callable[[JsonObject, Reach], str | None] | None = None,
    operation_of: Callable[[JsonObject], str] | None = None,
    impact: Impact | ImpactFunction | None = None,
    preview: PreviewFunction | None = None,
    undo: UndoFunction | None = None,
    missing: Callable[[Settings], str | None] | None = None,
) -> Callable[[Function], Tool]:
    """Make a tool of a function. Its signature is the schema, its docstring the description.

    A first parameter annotated `ToolContext` is handed in and no argument. Say `idempotent=True` only if running
    it twice is the same as running it once: after a crash such a call is simply run again. `impact` tells what a call
    does to the world: an `Impact`, or a function of its arguments and the run's folder that gives one at once.
    `preview` says what a call would change, by reading only; `undo` makes the call that takes one back, where the
    impact says `reversible`. `missing` says what has to be set up first.
    """

    def make(function: Function) -> Tool:
        arguments, wants_context = _arguments_of(function)
        called = name or getattr(function, "__name__", "tool")
        return Tool(
            name=called,
            description=inspect.getdoc(function) or "",
            schema=_schema_of(arguments),
            function=_calling(function, called, arguments, wants_context),
            risk=Risk(risk) if risk is not None else None,
            operation_type=operation_type,
            idempotent=idempotent,
            estimated_cost_credits=estimated_cost_credits,
            title=title,
            is_control=is_control,
            source=source,
            sends=sends,
            operation_of=operation_of,
            impact=impact,
            preview=preview,
            undo=undo,
            missing=missing,
        )

    return make


def _arguments_of(function: Function) -> tuple[type[BaseModel], bool]:
    signature = inspect.signature(function, eval_str=True)
    fields: dict[str, Any] = {}
    wants_context = False
    for parameter in signature.parameters.values():
        if parameter.annotation is ToolContext:
            wants_context = True
        elif parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            raise TypeError(f"{function}: a tool's parameters must be named")
        else:
            kind = Any if parameter.annotation is parameter.empty else parameter.annotation
            default = ... if parameter.default is parameter.empty else parameter.default
            # Some names (`schema`, `json`) belong to pydantic: the field gets another one, the argument keeps its own.
            name = f"{parameter.name}_" if hasattr(BaseModel, parameter.name) else parameter.name
            fields[name] = (kind, Field(default, alias=parameter.name))
    model = create_model(getattr(function, "__name__", "Arguments"), __config__=ConfigDict(extra="forbid"), **fields)
    return model, wants_context


def _schema_of(arguments: type[BaseModel]) -> JsonObject:
    schema = arguments.model_json_schema()
    schema.pop("title", None)
    for part in schema.get("properties", {}).values():
        part.pop("title", None)
    return schema


def _calling(
    function: Function, name: str, model: type[BaseModel], wants_context: bool
) -> Callable[[ToolContext, JsonObject], Awaitable[Any]]:
    """The function with the types of its signature; one that blocks gets a thread."""

    async def call(context: ToolContext, arguments: JsonObject) -> Any:
        try:
            typed = model.model_validate(arguments)
        except ValidationError as error:
            # Known not to have happened: the function was never called.
            raise ToolFailed(f"The arguments of {name} do not fit: {error}") from error
        given = {field.alias or name: getattr(typed, name) for name, field in model.model_fields.items()}
        first = (context,) if wants_context else ()
        if inspect.iscoroutinefunction(function):
            return await function(*first, **given)
        try:
            return await in_thread(function, *first, **given)
        except NoThreadFree as refusal:
            raise ToolFailed(str(refusal)) from refusal

    return call


class Registry:
    """All tools that this process knows, by name."""

    def __init__(self, tools: list[Tool]) -> None:
        self._tools = {tool.name: tool for tool in tools}

    def register(self, tool: Tool) -> None:
        self._tools[tool.name] = tool

    def replace(self, before: list[Tool], now: list[Tool]) -> None:
        """Put some tools in the place of others, all at once for whoever looks meanwhile."""
        gone = {tool.name for tool in before}
        kept = {name: tool for name, tool in self._tools.items() if name not in gone}
        self._tools = kept | {tool.name: tool for tool in now}

    def get(self, name: str) -> Tool | None:
        return self._tools.get(name)

    def all(self) -> list[Tool]:
        return list(self._tools.values())

    def schemas(self) -> dict[str, JsonObject]:
        """The arguments of each."""
        return {name: tool.schema for name, tool in self._tools.items()}

    def granted(self, names: list[str], withdrawn: Mapping[str, int] | None = None) -> list[Tool]:
        """What an agent has: control tools always, the tools it names, less those taken away for failing."""
        gone = withdrawn or {}
        return [
            t
            for t in self._tools.values()
            if t.is_control or (t.name in names and gone.get(t.name, 0) < FAILURES_ALLOWED)
        ]
