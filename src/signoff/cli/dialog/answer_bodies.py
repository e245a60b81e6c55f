"""What a key leads to: the body of an answer, for every kind of ask."""

from collections.abc import Callable
from typing import Any, cast

from signoff.cli.api_client import Api, Failure, path
from signoff.cli.dialog.forms import fill, skeleton
from signoff.cli.dialog.plans import Review
from signoff.cli.dialog.prompt import Back, Prompt
from signoff.cli.dialog.remember import choose_remember
from signoff.cli.terminal.ask_text import fields
from signoff.cli.terminal.editor import diff_lines, edited_object
from signoff.cli.terminal.screen import complain, say, say_lines
from signoff.cli.terminal.typed_values import value_of
from signoff.kit.jsons import JsonObject

AGAIN = {"e": "[e]dit again", "b": "[b]ack"}


class Replies:
    """The answers to one ask. `Back` leads back to its keys."""

    def __init__(self, api: Api, prompt: Prompt, ask: JsonObject) -> None:
        self._api, self._prompt, self._ask = api, prompt, ask
        self._review = Review(prompt, ask)
        self._ways: dict[str, Callable[[], JsonObject]] = {
            "a": self._review.approval,
            "m": self._remembered,
            "d": self._denied,
            "x": self._ended,
            "c": self._chosen,
            "e": self._edited,
            "r": self._responded,
            "u": lambda: _response(ask["suggestion"]["value"]),
            "f": lambda: _response(ask["default"]),
        } | ({"n": self._noted} if ask["kind"] == "milestone" else {})

    def body(self, pressed: str) -> JsonObject:
        """The answer that a key stands for; what it needs besides is asked for."""
        way = self._ways.get(pressed)
        return way() if way else _response(value_of(self._ask, pressed))

    def _noted(self) -> JsonObject:
        return {"decision": "approve", "note": self._prompt.words("What should the agent know? ")}

    def _denied(self) -> JsonObject:
        then = "The agent makes a new plan from it" if self._ask["kind"] == "plan" else "The agent reads it"
        reason = self._prompt.line(f"Reason? {then} (optional): ")
        return {"decision": "deny"} | ({"note": reason} if reason else {})

    def _ended(self) -> JsonObject:
        return {"decision": "deny", "note": self._prompt.words("Why end the run? "), "end_run": True}

    def _remembered(self) -> JsonObject:
        return {"decision": "approve", "remember": choose_remember(self._api, self._prompt, self._ask)}

    def _chosen(self) -> JsonObject:
        """Some steps of a plan, or other amounts than a budget asked for."""
        if self._ask["kind"] == "plan":
            return self._review.choose()
        return {"decision": "approve", "value": self._form(self._ask["default"] or {})}

    def _responded(self) -> JsonObject:
        ask = self._ask
        if ask.get("response_type") == "form":
            usual = cast("JsonObject", ask.get("suggestion") or {}).get("value")
            known: Any = ask.get("default") or usual
            return _response(self._form(cast("JsonObject", known) if isinstance(known, dict) else {}))
        what = "What should it do instead?" if ask["kind"] == "approval" else "Your answer"
        text = self._prompt.words(f"{what} (Enter to go back): ")
        return _response(text if ask["kind"] == "approval" else value_of(ask, text))

    def _form(self, known: JsonObject) -> JsonObject:
        """An object, field by field, shown whole before it goes out."""
        while True:
            known = fill(self._prompt, self._ask.get("schema") or {}, known)
            say_lines(fields(known))
            match self._prompt.press({"y": "[y]es, send this", "r": "[r]edo", "b": "[b]ack"}):
                case "y":
                    return known
                case "b":
                    raise Back
                case _:
                    continue

    def _edited(self) -> JsonObject:
        match self._ask["kind"]:
            case "plan":
                self._review.edit()
                raise Back
            case "approval":
                return self._edited_arguments()
            case _:
                known = self._ask.get("default") or skeleton(self._ask.get("schema") or {})
                return _response(edited_object(known, "The answer"))

    def _edited_arguments(self) -> JsonObject:
        """Arguments changed in the editor, checked by the server, shown as a diff, and agreed to."""
        proposed = self._ask["arguments"]
        while True:
            try:
                proposed = edited_object(proposed, "The arguments")
                preview = self._api.post(path("asks", self._ask["id"], "preview"), {"arguments": proposed})
            except Failure as failure:
                complain(failure.message, failure.details)
                choices = AGAIN
            else:
                if not preview["diff"]:
                    say("Nothing was changed.")
                    raise Back
                choices = _previewed(preview)
            match self._prompt.press(choices):
                case "y":
                    return {"decision": "approve", "arguments": proposed}
                case "b":
                    raise Back
                case _:
                    continue


def _previewed(preview: JsonObject) -> dict[str, str]:
    say_lines(diff_lines(preview["diff"]))
    if preview["errors"]:
        complain("These arguments are not valid:", [f"{e['path']}: {e['message']}" for e in preview["errors"]])
        return AGAIN
    return {"y": "[y]es, approve this", **AGAIN}


def _response(value: Any) -> JsonObject:
    return {"decision": "respond", "value": value}
