"""Which steps of a plan a person lets through, and how they changed them. Pure."""

from typing import Any, cast

from signoff.kit.errors import FieldError, Invalid
from signoff.kit.jsons import JsonObject, same
from signoff.kit.schema.check import problems


def chosen_steps(plan: JsonObject, given: list[Any] | None) -> list[JsonObject]:
    """The steps to run, in the plan's order: all, or those named by id, or step objects with other arguments."""
    steps: dict[str, JsonObject] = {step["id"]: step for step in plan.get("steps", [])}
    if given is None:
        return [_plain(step) for step in steps.values()]
    chosen = dict[str, JsonObject]()
    for index, each in enumerate(given):
        place = f"steps.{index}"
        if isinstance(each, str) and each in steps:
            step = _plain(steps[each])
        elif isinstance(each, dict):
            step = _edited(steps, cast("JsonObject", each), place)
        else:
            raise _wrong(place, f"not a step of this plan; its steps are {', '.join(steps)}")
        if step["id"] in chosen:
            raise _wrong(place, f"the step {step['id']} is listed twice")
        chosen[step["id"]] = step
    if not chosen:
        raise _wrong("steps", "choose at least one step, or deny the plan")
    return [chosen[step_id] for step_id in steps if step_id in chosen]


def _edited(steps: dict[str, JsonObject], given: JsonObject, place: str) -> JsonObject:
    known = steps.get(str(given.get("id")))
    if known is None:
        raise _wrong(f"{place}.id", f"not a step of this plan; its steps are {', '.join(steps)}")
    if given.get("tool", known["tool"]) != known["tool"]:
        raise _wrong(f"{place}.tool", f"the tool of a step cannot be changed; deny the plan to ask for {given['tool']}")
    arguments = given.get("arguments", known["arguments"])
    wrong = problems(known.get("schema") or {}, arguments, f"{place}.arguments", ours=True)
    if wrong:
        raise Invalid("The edited step is not valid for its tool.", errors=wrong)
    edited = {} if same(arguments, known["arguments"]) else {"edited": True}
    return _plain(known) | {"arguments": arguments} | edited


def _plain(step: JsonObject) -> JsonObject:
    """A step without its schema: what is approved."""
    return {name: value for name, value in step.items() if name != "schema"}


def _wrong(path: str, message: str) -> Invalid:
    return Invalid(f"These steps cannot be approved: {message}.", errors=[FieldError(path, message)])
