"""Begin the steps that are ready."""

from signoff.engine.workflow.checkpoints import open_checkpoint, wants
from signoff.engine.workflow.claimed_workflow import ClaimedWorkflow
from signoff.engine.workflow.order import ready
from signoff.engine.workflow.take_results import error_of, fail, succeed
from signoff.kit import clock
from signoff.kit.errors import SignoffError
from signoff.runs.workflow.start import StepInput, start_child
from signoff.runs.workflow.states import StepStatus
from signoff.workflows.conditions import ConditionError, holds
from signoff.workflows.definition import Each, Step
from signoff.workflows.mapping import MissingInput, item_input, step_input

MOST_ITEMS = 1_000
# Characters that all items of a step are given together.
MOST_GIVEN = 100_000_000


def begin_steps(claimed: ClaimedWorkflow) -> None:
    """All that is ready; a step that is skipped, or does nothing, may make others ready."""
    while steps := [step for step in ready(claimed.definition, claimed.states) if _is_due(claimed, step)]:
        claimed.read_inputs(step.id for step in steps)
        for step in steps:
            _begin(claimed, step)
    for step in claimed.definition.steps:
        if step.each is not None and claimed.rows[step.id].status == StepStatus.RUNNING.value:
            _start_items(claimed, step, step.each)


def _is_due(claimed: ClaimedWorkflow, step: Step) -> bool:
    at = claimed.rows[step.id].retry_at
    return at is None or at <= clock.now()


def _begin(claimed: ClaimedWorkflow, step: Step) -> None:
    row = claimed.rows[step.id]
    row.retry_at = None
    try:
        if (
            step.when is not None
            and row.attempt == 0
            and row.passed is None
            and not holds(step.when, claimed.context_of(step))
        ):
            claimed.move(step, StepStatus.SKIPPED)
            return
        given = row.input if row.input is not None else step_input(step, claimed.context_of(step))
    except (ConditionError, MissingInput) as error:
        _count(claimed, step)
        fail(claimed, step, error_of(claimed, step, str(error)), again=False)
        return
    if wants(step, "before") and row.passed is None:
        open_checkpoint(claimed, step, "before", given)
        return
    start(claimed, step, given)


def start(claimed: ClaimedWorkflow, step: Step, given: str) -> None:
    """Start the run that does it, or lay out its items."""
    row = claimed.rows[step.id]
    if step.each is not None:
        row.input = given
        _count(claimed, step)
        _lay_out(claimed, step, step.each)
        return
    try:
        # What cannot be started is refused before anything of it is written.
        again = row.children[0] if row.children else None
        child = start_child(claimed.session, claimed.run, step, StepInput(given, earlier=again))
    except SignoffError as error:
        row.input = given
        _count(claimed, step)
        fail(claimed, step, error_of(claimed, step, _said(error)), again=False)
        return
    # From now on it stands at the child: it may be large.
    row.input, row.children = None, [child.id]
    _count(claimed, step)
    claimed.started.append(child.id)
    claimed.move(step, StepStatus.RUNNING)


def _lay_out(claimed: ClaimedWorkflow, step: Step, each: Each) -> None:
    row, items = claimed.rows[step.id], claimed.items_of(step)
    problem = None
    if items is None or len(items) > MOST_ITEMS:
        what = "is no list" if items is None else f"has {len(items):,} items, at most {MOST_ITEMS:,} go"
        problem = f"`{each.path}` {what}."
    elif len(items) * len(row.input or "") > MOST_GIVEN:
        problem = (
            f"Its {len(items):,} items would get {len(row.input or ''):,} characters each. Map only what they need."
        )
    if items is None or problem is not None:
        fail(claimed, step, error_of(claimed, step, problem or ""), again=False)
        return
    if len(row.children) != len(items):
        row.children = [None] * len(items)
    claimed.move(step, StepStatus.RUNNING)
    if None not in row.children:
        # There are none, or a run before this one did them all well: no end of a run is to come.
        succeed(claimed, step)


def _start_items(claimed: ClaimedWorkflow, step: Step, each: Each) -> None:
    """As many at once as the step allows, in the order of the list."""
    row = claimed.rows[step.id]
    mine = set(row.children)
    under_way = [run for run in claimed.unfinished.values() if run.id in mine]
    if None not in mine or any(run.is_ended for run in under_way):
        return
    room = each.max_parallel - len(under_way)
    waiting = [index for index, child in enumerate(row.children) if child is None][: max(room, 0)]
    if not waiting:
        return
    children, items = list(row.children), claimed.items_of(step) or []
    for index in waiting:
        try:
            given = item_input(step, row.input or "{}", claimed.context_of(step), index, items)
            made = start_child(claimed.session, claimed.run, step, StepInput(given, index))
        except (SignoffError, MissingInput) as error:
            said = _said(error) if isinstance(error, SignoffError) else str(error)
            row.children = children
            fail(claimed, step, error_of(claimed, step, said) | {"item": index}, again=False)
            return
        children[index] = made.id
        claimed.started.append(made.id)
    row.children = children


def _count(claimed: ClaimedWorkflow, step: Step) -> None:
    claimed.rows[step.id].attempt += 1


def _said(error: SignoffError) -> str:
    """What is wrong, with the exact places."""
    places = "; ".join(f"{each.path}: {each.message}" for each in error.errors)
    return f"{error.detail} {places}." if places else error.detail
