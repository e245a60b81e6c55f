"""Putting an ask before the person at the keyboard, and bringing the answer to the server."""

import uuid
from typing import Literal

from signoff.cli.api_client import Api, Failure, Refused, path
from signoff.cli.dialog.answer_bodies import Replies
from signoff.cli.dialog.keys import DECIDED, keys
from signoff.cli.dialog.pending_decision import UNDO_SECONDS, PendingDecision, can_wait
from signoff.cli.dialog.prompt import Back, Prompt
from signoff.cli.dialog.similar_asks import choose_alike, offer_alike
from signoff.cli.terminal.ask_text import describe, is_cut, outcome, signed
from signoff.cli.terminal.comment_text import conversation_text
from signoff.cli.terminal.keyboard import GivenUp, Keyboard
from signoff.cli.terminal.screen import complain, out, say, say_lines
from signoff.cli.terminal.typed_values import options
from signoff.kit.jsons import JsonObject

Ending = Literal["answered", "skipped", "settled", "quit", "undone"]
MOST_COMMENTS, SHOWN_COMMENTS = 1_000, 20
BY_LINE = (None, "text", "number")


class _Leave(Exception):
    """No answer now."""

    def __init__(self, ending: Ending) -> None:
        self.ending: Ending = ending


def earlier(api: Api, ask: JsonObject) -> list[JsonObject]:
    """What a follow-up question follows, oldest first."""
    if not ask.get("follows"):
        return []
    thread: list[JsonObject] = api.get(path("asks", ask["id"], "thread"))["items"]
    return [each for each in thread if each["created_at"] < ask["created_at"]]


def conversation(api: Api, ask: JsonObject) -> list[JsonObject]:
    """What people and the agent said about an ask, oldest first: the last of it."""
    try:
        return api.items(path("asks", ask["id"], "comments"), MOST_COMMENTS)[-SHOWN_COMMENTS:]
    except Failure:
        # An older server knows no comments, and another failure meets whoever decides: nobody is kept from it here.
        return []


def steps_before(api: Api, ask: JsonObject) -> JsonObject | None:
    """What its run had done before it asked."""
    try:
        return api.get(path("asks", ask["id"], "steps-before")) if ask.get("run_id") else None
    except Failure:
        # An older server does not tell, and nobody is kept from deciding by it.
        return None


class Dialog:
    """Asks until there is an answer that the server takes, or the person leaves it."""

    def __init__(
        self,
        api: Api,
        keyboard: Keyboard,
        answered: set[str],
        *,
        inbox: bool = False,
        pending: PendingDecision | None = None,
    ) -> None:
        """`answered` gets the ids of all that are answered here: the ask's own, and those of asks that are alike."""
        self._api, self._prompt, self._answered, self._inbox = api, Prompt(keyboard), answered, inbox
        self._pending = pending

    def attend(self, ask: JsonObject) -> Ending:
        """Show an ask and get it answered."""
        self._show(ask)
        replies = Replies(self._api, self._prompt, ask)
        sent, key = None, ""
        while True:
            try:
                body = self._answer(ask, replies)
                if body != sent:
                    sent, key = body, str(uuid.uuid4())
                self._bring(ask, body, key)
            except GivenUp:
                say()
                self._tell_how(ask)
                return "settled"
            except _Leave as leave:
                return leave.ending
            except Refused as refused:
                if ending := self._ending(refused, ask, sent):
                    return ending
                if refused.code == "ask_changed":
                    ask, replies = self._shown_anew(ask)
            except Failure as failure:
                complain(failure.message, failure.details)
            else:
                return "answered"

    def _shown_anew(self, ask: JsonObject) -> tuple[JsonObject, Replies]:
        changed: JsonObject = self._api.get(path("asks", ask["id"]))
        self._show(changed)
        return changed, Replies(self._api, self._prompt, changed)

    def _bring(self, ask: JsonObject, body: JsonObject, key: str) -> None:
        """To the server, or kept for a moment, so that it can be taken back."""
        if self._waits(ask, body):
            return
        settled = self._api.post(path("asks", ask["id"], "answer"), body, key=key)
        say(f"[green]✓[/] {_settled_text(settled, body['decision'])}")
        self._answered.add(ask["id"])
        self._answered.update(offer_alike(self._api, self._prompt, ask, body))

    def _waits(self, ask: JsonObject, body: JsonObject) -> bool:
        """Hold the answer for a moment, where it can be."""
        if self._pending is None or not can_wait(ask, body):
            return False
        others = choose_alike(self._api, self._prompt, ask, body)
        self._pending.hold(ask, body, others)
        what = "Approved" if body["decision"] == "approve" else "Denied" if body["decision"] == "deny" else "Answered"
        count = f" {len(others) + 1}" if others else ""
        say(f"[green]✓[/] {what}{count}. [dim]Sent in {UNDO_SECONDS:.0f} s; press u to undo.[/]")
        return True

    def _show(self, ask: JsonObject) -> None:
        say()
        say_lines(describe(ask, earlier=earlier(self._api, ask), steps=steps_before(self._api, ask)))
        say_lines(conversation_text(conversation(self._api, ask)))

    def _answer(self, ask: JsonObject, replies: Replies) -> JsonObject:
        seen = {"digest": ask["digest"]} if ask.get("digest") else {}
        if self._is_direct(ask):
            try:
                return replies.body("r") | seen
            except Back:
                raise _Leave("skipped") from None
        found = keys(ask, inbox=self._inbox, cut=is_cut(ask))
        undo = "z" if "u" in found else "u"
        if self._pending is not None and self._pending.decision is not None:
            found |= {undo: f"[{undo}] undo"}
        while True:
            pressed = self._prompt.press(found)
            if pressed == undo:
                raise _Leave("undone")
            if pressed == "v":
                self._page(ask)
            elif pressed in ("s", "q"):
                raise _Leave("quit" if pressed == "q" else "skipped")
            else:
                try:
                    return replies.body(pressed) | seen
                except Back:
                    continue

    def _is_direct(self, ask: JsonObject) -> bool:
        """Someone who watches a run types the answer straight away; in the inbox every key has its meaning first."""
        if self._inbox or ask["kind"] in DECIDED or options(ask):
            return False
        offered = ask.get("suggestion") or ask.get("default") is not None
        return ask.get("response_type") in BY_LINE and not offered

    def _ending(self, refused: Refused, ask: JsonObject, sent: JsonObject | None) -> Ending | None:
        """Whether a refusal ends the matter: somebody was first, or it is not this person's to decide."""
        if refused.code == "ask_already_settled":
            self._tell_how(ask)
            return "settled"
        complain(refused.message, refused.details)
        if refused.status == 409 and refused.code != "ask_changed":
            return "settled"
        # Whoever may approve may still not be the one who may remember.
        remembered = refused.status == 403 and "remember" in (sent or {})
        return "skipped" if refused.status in (401, 403, 404) and not remembered else None

    def _tell_how(self, ask: JsonObject) -> None:
        """Who settled it meanwhile, and how. Where a run is watched, its own events say so."""
        if self._inbox:
            try:
                say(f"Already settled: {outcome(self._api.get(path('asks', ask['id'])))}.")
            except Failure as failure:
                complain(failure.message)

    def _page(self, ask: JsonObject) -> None:
        console = out()
        with console.pager(styles=False):
            console.print("\n".join(describe(ask, whole=True, earlier=earlier(self._api, ask))))


def _settled_text(settled: JsonObject, decision: str) -> str:
    if settled["status"] == "pending":
        return f"{signed(settled)}; more signatures are needed"
    return "sent to the agent" if decision == "respond" else outcome(settled)
