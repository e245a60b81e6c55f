"""Answers from text: what a person typed becomes the value that an ask wants, or is refused with the reason. Pure."""

from typing import Any, cast

from signoff.cli.api_client import Failure
from signoff.kit.jsons import BadJson, JsonObject, loads

# What every recovery understands, and all there is to choose from when it lists nothing itself.
RECOVERIES = [
    {"label": "Try again", "value": "retry"},
    {"label": "Skip it", "value": "skip"},
    {"label": "It was done", "value": "done"},
]
YES = ("yes", "y", "true", "1")
NO = ("no", "n", "false", "0")


def many(found: JsonObject, name: str) -> list[Any]:
    """What is listed under a name; nothing is an empty list."""
    return cast("list[Any]", found.get(name) or [])


def options(ask: JsonObject) -> list[JsonObject]:
    """What there is to choose from."""
    given = many(ask, "options") or (RECOVERIES if ask["kind"] == "recovery" else [])
    return [each if isinstance(each, dict) else {"label": str(each), "value": each} for each in given]


def steps_of(ask: JsonObject) -> list[JsonObject]:
    """The steps of a plan."""
    return many(cast("JsonObject", ask.get("plan") or {}), "steps")


def value_of(ask: JsonObject, text: str) -> Any:
    """Turn what a person typed into the value that the ask wants."""
    if ask["kind"] == "recovery" and text in [each["value"] for each in RECOVERIES]:
        return text
    if choices := options(ask):
        return chosen(choices, text)
    match ask.get("response_type"):
        case "boolean" | "approval":
            return truth(text)
        case "number":
            return number(text)
        case "form":
            return json_object(text, "The answer")
        case _:
            return text


def chosen(choices: list[JsonObject], text: str) -> Any:
    """A choice by its number, id, value or label."""
    if text.isdecimal() and 1 <= int(text) <= len(choices):
        return choices[int(text) - 1]["value"]
    for choice in choices:
        if text in (choice.get("id"), str(choice["value"]), choice.get("label")):
            return choice["value"]
    listed = ", ".join(str(choice.get("label") or choice["value"]) for choice in choices)
    raise Failure(f"{text!r} is not one of: {listed}.")


def truth(text: str) -> bool:
    if text.lower() not in YES + NO:
        raise Failure(f"{text!r}: answer yes or no.")
    return text.lower() in YES


def number(text: str) -> float | int:
    try:
        return int(text)
    except ValueError:
        pass
    try:
        found = float(text.replace(",", "."))
    except ValueError:
        found = float("nan")
    if found - found != 0:
        raise Failure(f"{text!r} is not a number.")
    return found


def json_value(text: str, what: str) -> Any:
    try:
        return loads(text)
    except BadJson as error:
        raise Failure(f"{what}: not valid JSON: {error}") from None


def json_object(text: str, what: str) -> JsonObject:
    value = json_value(text, what)
    if not isinstance(value, dict):
        raise Failure(f"{what} must be a JSON object.")
    return cast("JsonObject", value)


def places(text: str, count: int) -> list[int]:
    """`1,3-5` as the places 0, 2, 3, 4, in order and once each."""
    found = set[int]()
    for part in text.replace(",", " ").split():
        first, _, last = part.partition("-")
        if not (first.isdecimal() and (last.isdecimal() or part == first)):
            raise Failure(f"{part!r} is not a number. Example: 1,3-{max(count, 3)}.")
        low, high = int(first), int(last or first)
        if not 1 <= low <= high <= count:
            raise Failure(f"{part} is not between 1 and {count}.")
        found |= set(range(low - 1, high))
    if not found:
        raise Failure(f"Choose at least one, from 1 to {count}.")
    return sorted(found)


def chosen_steps(ask: JsonObject, text: str) -> list[Any]:
    """Steps of a plan: their numbers or ids with commas, or a JSON list of ids and changed steps."""
    if text.lstrip().startswith("["):
        return cast("list[Any]", json_value(text, "The steps"))
    ids = [str(step["id"]) for step in steps_of(ask)]
    named = text.replace(",", " ").split()
    if named and all(each in ids for each in named):
        return named
    return [ids[place] for place in places(text, len(ids))]
