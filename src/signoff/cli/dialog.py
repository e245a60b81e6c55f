"""Putting an ask before the person at the keyboard, and bringing the answer to the server."""

import uuid
from typing import Any, Literal

from signoff.cli.asks import describe, json_object, key_line, keys, options, outcome, value_of
from signoff.cli.client import Api, Failure, Refused, path
from signoff.cli.edit import as_text, diff_lines, edit, skeleton
from signoff.cli.keyboard import GivenUp, Keyboard
from signoff.cli.screen import complain, out, plain, say, say_lines
from signoff.kit.jsons import JsonObject

Ending = Literal["answered", "skipped", "settled", "quit"]
BY_LINE = (None, "text", "number")


class _Leave(Exception):
    """No answer now."""

    def __init__(self, ending: Ending) -> None:
        self.ending: Ending = ending


class Dialog:
    """Asks until there is an answer that the server takes, or the person leaves it."""

    def __init__(self, api: Api, keyboard: Keyboard, *, inbox: bool = False) -> None:
        self._api, self._keyboard, self._inbox = api, keyboard, inbox

    def attend(self, ask: JsonObject) -> Ending:
        """Show an ask and get it answered."""
        say()
        say_lines(describe(ask))
        sent, key = None, ""
        while True:
            try:
                body = self._answer(ask)
                if body != sent:
                    sent, key = body, str(uuid.uuid4())
                settled = self._api.post(path("asks", ask["id"], "answer"), body, key=key)
            except GivenUp:
                say()
                return "settled"
            except _Leave as leave:
                return leave.ending
            except Failure as failure:
                complain(failure.message, failure.details)
                if isinstance(failure, Refused) and failure.status in (401, 403, 404, 409):
                    return "settled" if failure.status == 409 else "skipped"
            else:
                say(f"[green]✓[/] {_told(settled, body['decision'])}")
                return "answered"

    def _answer(self, ask: JsonObject) -> JsonObject:
        found = keys(ask, inbox=self._inbox)
        direct = ask["kind"] not in ("approval", "plan", "milestone", "budget") and not options(ask)
        # Someone who watches a run types the answer straight away; in the inbox every key has its meaning first.
        if direct and not self._inbox and ask.get("response_type") in BY_LINE:
            return self._respond(ask)
        while True:
            pressed = self._press(found)
            if pressed == "v":
                self._page(ask)
                continue
            if pressed in ("s", "q"):
                raise _Leave("quit" if pressed == "q" else "skipped")
            if body := self._body(ask, pressed):
                return body

    def _body(self, ask: JsonObject, pressed: str) -> JsonObject | None:
        match pressed:
            case "a":
                return {"decision": "approve"}
            case "e":
                return self._edited(ask)
            case "d":
                reason = self._keyboard.line("Why not? The agent reads it (may be empty): ").strip()
                return {"decision": "deny"} | ({"note": reason} if reason else {})
            case "y" | "n":
                return {"decision": "respond", "value": pressed == "y"}
            case "r":
                return self._respond(ask)
            case _:
                return {"decision": "respond", "value": value_of(ask, pressed)}

    def _respond(self, ask: JsonObject) -> JsonObject:
        if ask.get("response_type") == "form":
            filled = self._changed(ask.get("default") or skeleton(ask.get("schema")), "The answer")
            return {"decision": "respond", "value": filled}
        what = "What should it do instead?" if ask["kind"] == "approval" else "Your answer"
        text = self._keyboard.line(f"{what} (Enter alone skips): ").strip()
        if not text:
            raise _Leave("skipped")
        return {"decision": "respond", "value": text if ask["kind"] == "approval" else value_of(ask, text)}

    def _edited(self, ask: JsonObject) -> JsonObject | None:
        """Arguments changed in the editor, checked by the server, shown as a diff, and agreed to."""
        proposed = ask["arguments"]
        while True:
            try:
                proposed = self._changed(proposed, "The arguments")
                preview = self._api.post(path("asks", ask["id"], "preview"), {"arguments": proposed})
            except Failure as failure:
                complain(failure.message, failure.details)
                choices = {"e": "[e]dit again", "b": "[b]ack"}
            else:
                if not preview["diff"]:
                    say("Nothing was changed.")
                    return None
                choices = self._previewed(preview)
            match self._press(choices):
                case "y":
                    return {"decision": "approve", "arguments": proposed}
                case "b":
                    return None
                case _:
                    continue

    def _previewed(self, preview: JsonObject) -> dict[str, str]:
        say_lines(diff_lines(preview["diff"]))
        if preview["errors"]:
            complain(
                "These arguments do not fit the tool:", [f"{e['path']}: {e['message']}" for e in preview["errors"]]
            )
            return {"e": "[e]dit again", "b": "[b]ack"}
        return {"y": "[y]es, approve this", "e": "[e]dit again", "b": "[b]ack"}

    def _changed(self, value: Any, what: str) -> JsonObject:
        return json_object(edit(as_text(value)), what)

    def _press(self, found: dict[str, str]) -> str:
        say(key_line(found) + " ", end="")
        out().file.flush()
        while True:
            try:
                pressed = self._keyboard.key()
            except EOFError:
                pressed = next((key for key in "qsb" if key in found), "")
            if pressed in found:
                say(f"[bold]{plain(pressed)}[/]")
                return pressed

    def _page(self, ask: JsonObject) -> None:
        console = out()
        with console.pager(styles=False):
            console.print("\n".join(describe(ask, whole=True)))


def _told(settled: JsonObject, decision: str) -> str:
    if settled["status"] == "pending":
        return "signed; it needs more signatures"
    return "sent to the agent" if decision == "respond" else outcome(settled)
