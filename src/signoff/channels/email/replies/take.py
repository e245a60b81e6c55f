"""One mail becomes one answer, or is refused with a reason. Nothing is decided that a request of the app would not."""

from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy.orm import Session

from signoff.asks.answers.outcome import Answer
from signoff.asks.models import Ask
from signoff.asks.states import AskStatus
from signoff.audit.actions import record
from signoff.channels.answer_links.tokens import REPLY, UnknownLink, find, spend
from signoff.channels.deciding import answer_from_outside
from signoff.channels.email.replies.authentication import why_not_authenticated
from signoff.channels.email.replies.headers import Headers, Unreadable, split_mail
from signoff.channels.email.replies.mime import text_of_mail
from signoff.channels.email.replies.quotes import own_words
from signoff.channels.email.replies.reply_to import reply_tokens
from signoff.channels.email.replies.sender import domain_of, is_automatic, sender_of
from signoff.channels.email.transport import Mailbox
from signoff.channels.models import Channel
from signoff.channels.port import OpenChannel
from signoff.kit.actor import Actor
from signoff.kit.db.database import Database
from signoff.kit.errors import SignoffError
from signoff.kit.jsons import clean_text

LONGEST_TEXT = 100_000
# What a question must want, for a reply to be its answer.
RESPONSE_TYPE = "text"


@dataclass(frozen=True)
class Taken:
    ask_id: str


@dataclass(frozen=True)
class Refused:
    """Why; without anything that stands in the mail."""

    reason: str


Verdict = Taken | Refused


@dataclass(frozen=True)
class _Expected:
    """Whose reply to what the token stands for."""

    token: str
    channel_id: str
    email: str
    ask_id: str
    run_id: str | None
    response_type: str | None
    digest: str | None


def take(db: Database, channel: OpenChannel, mailbox: Mailbox, raw: bytes) -> Verdict | None:
    """Answer the question that the mail replies to. Only who got the token, and is who they say, is heard.

    None: it is for another channel, which looks into the same mailbox."""
    try:
        headers, body = split_mail(raw)
    except Unreadable as error:
        return Refused(str(error))
    tokens = reply_tokens(headers, mailbox.address)
    expected = db.read(lambda session: _expected(session, mailbox, tokens)) if tokens else []
    if len(expected) != 1:
        # Anybody can write to the mailbox, so this is not put on the record.
        return Refused("it replies to several questions" if expected else "it replies to no question of ours")
    reply = expected[0]
    if reply.channel_id != channel.id:
        return None
    verdict = _answer(db, mailbox, reply, headers, body)
    if isinstance(verdict, Refused):
        db.write(lambda session: _put_on_record(session, channel, reply, verdict))
    return verdict


def _expected(session: Session, mailbox: Mailbox, tokens: list[str]) -> list[_Expected]:
    """Of every channel that looks into this mailbox."""
    found = list[_Expected]()
    for token in tokens:
        try:
            link, (actor, ask) = find(session, token, REPLY)
        except UnknownLink:
            continue
        channel = session.get_one(Channel, link.channel_id)
        if channel.enabled and _is_same(channel.settings.get("replies"), mailbox):
            facts = (ask.id, ask.run_id, ask.response_type, link.digest)
            found.append(_Expected(token, channel.id, actor.name, *facts))
    return found


def _is_same(settings: Any, mailbox: Mailbox) -> bool:
    return bool(settings) and (settings["host"], settings["username"]) == (mailbox.host, mailbox.username)


def _answer(db: Database, mailbox: Mailbox, reply: _Expected, headers: Headers, body: bytes) -> Verdict:
    reason = _why_not(headers, reply, mailbox)
    if reason is not None:
        return Refused(reason)
    text = clean_text(own_words(text_of_mail(headers, body))).strip()
    if not text:
        return Refused("it has no text")
    if len(text) > LONGEST_TEXT:
        return Refused(f"its text is longer than {LONGEST_TEXT:,} characters")
    given = Answer("respond", value=text, digest=reply.digest)
    try:
        answer_from_outside(db, lambda session: spend(session, reply.token, REPLY), given)
    except SignoffError as error:
        if error.status >= 500:
            # Nothing is wrong with the mail: it is looked at again.
            raise
        if db.read(lambda session: _is_its_answer(session, reply, text)):
            return Taken(reply.ask_id)
        return Refused(error.detail)
    return Taken(reply.ask_id)


def _why_not(headers: Headers, reply: _Expected, mailbox: Mailbox) -> str | None:
    sender = sender_of(headers)
    if sender is None:
        return "it does not say plainly whom it is from"
    if sender != reply.email.lower():
        return "it is from another address than the question went to"
    if (reason := why_not_authenticated(headers, mailbox.authserv_id, domain_of(sender))) is not None:
        return reason
    if is_automatic(headers):
        return "a program wrote it, not a person"
    if reply.response_type != RESPONSE_TYPE:
        return "the question wants another answer than a text"
    return None


def _is_its_answer(session: Session, reply: _Expected, text: str) -> bool:
    """Whether it was taken before: another process was faster, or one died before it put the mail aside."""
    ask = session.get_one(Ask, reply.ask_id)
    is_theirs = ask.status == AskStatus.ANSWERED.value and ask.settled_by == reply.email
    return is_theirs and (ask.answer or {}).get("value") == text


def _put_on_record(session: Session, channel: OpenChannel, reply: _Expected, verdict: Refused) -> None:
    actor = replace(Actor.system(channel.workspace_id), via=channel.kind)
    facts = {"channel": channel.name, "reason": verdict.reason}
    record(session, actor, "mail.refused", reply.ask_id, facts, run_id=reply.run_id)
