"""What a workflow says: its steps, what each gets and makes, and where people look. Data alone."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from signoff.kit.jsons import JsonObject
from signoff.kit.text.fields import Line, LongText, Name, Slug
from signoff.policy.format.shapes import Approver

MOST_STEPS = 20
# Names that paths read as something else.
RESERVED = frozenset({"input", "steps", "item", "index", "workflow", "run"})
# Under these names the API has something else than a workflow.
RESERVED_SLUGS = frozenset({"schema", "validate"})
# What an item is called where nobody says otherwise.
ITEM = "item"
ONE_OF = ("agent", "workflow", "tool")
StepId = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]{0,39}$", max_length=40)]
Path = Annotated[str, Field(min_length=1, max_length=500)]
Expression = Annotated[str, Field(min_length=1, max_length=2_000)]
Seconds = Annotated[float, Field(gt=0, le=86_400)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", populate_by_name=True)


class Const(_Part):
    """Always this value."""

    const: Any


class PathWithDefault(_Part):
    """What stands at a path, or else the default."""

    path: Path
    default: Any = None

    @property
    def has_default(self) -> bool:
        return "default" in self.model_fields_set


class Template(_Part):
    """What a JMESPath expression makes of the context."""

    template: Expression


def _each_by_path(given: Any) -> Any:
    return {"path": given} if isinstance(given, str) else given


def _checkpoint_by_word(given: Any) -> Any:
    return {"when": given} if isinstance(given, str) else given


Source = Path | Const | PathWithDefault | Template


class Each(_Part):
    """One child run per item of a list."""

    path: Path
    as_: StepId = Field(default=ITEM, alias="as")
    max_parallel: int = Field(default=5, ge=1, le=20)


class Checkpoint(_Part):
    """A person looks at what a step gets, or at what it made, and may change it."""

    when: Literal["before", "after"]
    title: Line | None = None
    approvers: list[Approver] = Field(default=[], max_length=50)
    approvals_required: int = Field(default=1, ge=1, le=20)
    timeout_minutes: float | None = Field(default=None, gt=0, le=43_200)
    on_timeout: Literal["deny", "cancel", "fail", "escalate"] | None = None


class Step(_Part):
    """One agent, workflow or tool, with what it gets."""

    model_config = ConfigDict(json_schema_extra={"oneOf": [{"required": [each]} for each in ONE_OF]})

    id: StepId
    name: Name | None = None
    agent: Slug | None = None
    workflow: Slug | None = None
    tool: Line | None = None
    task: LongText | None = None
    needs: list[StepId] | None = Field(default=None, max_length=MOST_STEPS)
    when: Expression | None = None
    each: Annotated[Each | None, BeforeValidator(_each_by_path, json_schema_input_type=Path | Each | None)] = None
    input: dict[str, Source] | None = Field(default=None, max_length=200)
    output_schema: JsonObject | None = None
    timeout_seconds: Seconds = 300
    retries: int = Field(default=0, ge=0, le=10)
    retry_backoff_seconds: float = Field(default=2, ge=0, le=3_600)
    stop_on_error: bool | None = None
    checkpoint: Annotated[
        Checkpoint | None,
        BeforeValidator(_checkpoint_by_word, json_schema_input_type=Literal["before", "after"] | Checkpoint | None),
    ] = None

    @model_validator(mode="after")
    def _does_one_thing(self) -> "Step":
        given = [name for name in ONE_OF if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError("say exactly one of agent, workflow or tool")
        return self

    @property
    def subject(self) -> str:
        return self.agent or self.workflow or self.tool or ""


class Place(_Part):
    """Where somebody put a step on the canvas."""

    x: float
    y: float


class WorkflowDefinition(_Part):
    """Everything that a revision freezes."""

    slug: Slug
    name: Name
    description: LongText = ""
    input_schema: JsonObject | None = None
    timeout_seconds: float | None = Field(default=None, gt=0, le=30 * 86_400)
    stop_on_error: bool = True
    rules: list[JsonObject] = Field(default=[], max_length=100)
    layout: dict[str, Place] | None = None
    # One more is found by the validation, which says what to do about it.
    steps: list[Step] = Field(min_length=1, json_schema_extra={"maxItems": MOST_STEPS})

    def step(self, step_id: str) -> Step | None:
        return next((step for step in self.steps if step.id == step_id), None)


def needs_of(definition: WorkflowDefinition) -> dict[str, tuple[str, ...]]:
    """What each step waits for: what it says, else the one before it."""
    found = dict[str, tuple[str, ...]]()
    before: str | None = None
    for step in definition.steps:
        found[step.id] = tuple(step.needs) if step.needs is not None else (before,) if before else ()
        before = step.id
    return found


def steps_before(definition: WorkflowDefinition, step_id: str) -> set[str]:
    """The steps that have to be done before this one begins."""
    needs, found, look = needs_of(definition), set[str](), [step_id]
    while look:
        for before in needs.get(look.pop(), ()):
            if before not in found:
                found.add(before)
                look.append(before)
    return found


def unconnected(definition: WorkflowDefinition) -> list[str]:
    """The steps that wait for no other and that no other waits for."""
    needs = needs_of(definition)
    waited_for = {each for of_step in needs.values() for each in of_step}
    return [name for name in needs if len(needs) > 1 and not needs[name] and name not in waited_for]


def in_order(definition: WorkflowDefinition) -> list[Step]:
    """Each step behind all that it waits for, however they are written: what it makes is laid over what they made."""
    needs, left, found = needs_of(definition), list(definition.steps), dict[str, Step]()
    while left:
        step = next((each for each in left if all(need in found for need in needs[each.id])), left[0])
        found[step.id] = step
        left.remove(step)
    return list(found.values())


def written(definition: WorkflowDefinition) -> JsonObject:
    """As a person would write it: without what goes without saying, short forms where they say it all."""
    said = _said(definition.model_dump(by_alias=True, exclude_unset=True))
    said["steps"] = [_said(step) for step in said["steps"]]
    for step in said["steps"]:
        if set(step.get("each") or ()) == {"path"}:
            step["each"] = step["each"]["path"]
        if "checkpoint" in step:
            step["checkpoint"] = _said(step["checkpoint"])
        if set(step.get("checkpoint") or ()) == {"when"}:
            step["checkpoint"] = step["checkpoint"]["when"]
    return said


def _said(fields: JsonObject) -> JsonObject:
    """Without fields that say nothing. What a step gets stays: there, null is a value."""
    return {name: value for name, value in fields.items() if value is not None}
