"""What a press does: the same as an answer in the app, by the member who linked the account that pressed."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy.orm import Session

from signoff.asks import queries as asks
from signoff.asks.actions import SeenDifferent, refuse_settled
from signoff.asks.answers.outcome import Answer
from signoff.asks.models import Ask
from signoff.asks.signatures.deputies import in_whose_name
from signoff.asks.signatures.who_may_answer import permit
from signoff.asks.states import AskStatus
from signoff.channels.accounts.linking import Visitor
from signoff.channels.accounts.members import member_by_account
from signoff.channels.chats.as_shown import answer_as_shown, refuse_unshown
from signoff.channels.chats.carried import CHOOSE, Carried, unpacked
from signoff.channels.deciding import Found, actor_through, refuse_outside
from signoff.channels.messages.choices import offered
from signoff.channels.models import Channel, Delivery
from signoff.kit.errors import FieldError, Forbidden, Invalid, NotFound
from signoff.kit.jsons import clean_text

WHO = "Signoff does not know who you are here. Get a code there, in Settings under Notifications, to link your account."


class Stranger(Forbidden):
    """Nobody here has linked this account."""

    code = "account_not_linked"


@dataclass(frozen=True)
class Press:
    """A button that somebody pressed."""

    by: Visitor
    carried: Carried

    @classmethod
    def of(cls, by: Visitor, data: str) -> "Press":
        """Raises UnknownButton."""
        return cls(by, unpacked(data))

    def check(self) -> Ask:
        """The ask, if this person may decide about it so, and it still is what they saw."""
        return self.by.db.read(self._seen)

    def decide(self, words: str = "") -> str:
        """Take it. `words` are the reason of a refusal, or an answer. Returns how the ask stands then."""
        ask, said, decision = self.check(), clean_text(words).strip(), self.carried.decision
        value = _value(ask, self.carried.number) if self.carried.action == CHOOSE else said
        given = Answer(
            decision,
            value=value if decision == "respond" else None,
            note=said if said and decision == "deny" else None,
            digest=ask.digest,
            preview_of=self.by.preview_of,
        )
        return answer_as_shown(self.by.db, self._find, given)

    def is_open(self) -> bool:
        """Whether somebody else still has to decide."""
        return self.by.db.read(lambda session: self._find(session)[1].status == AskStatus.PENDING.value)

    def _find(self, session: Session) -> Found:
        """Who answers what, as both are now. Raises Stranger."""
        delivery = session.get(Delivery, self.carried.delivery_id)
        if delivery is None or delivery.channel_id != self.by.channel_id or delivery.ask_id is None:
            raise NotFound("This message is not known any more.")
        channel = session.get_one(Channel, self.by.channel_id)
        member = member_by_account(session, channel, self.by.account)
        if member is None:
            raise Stranger(WHO)
        if delivery.member_id not in (None, member.id):
            raise Forbidden("This message went to somebody else.")
        actor = actor_through(session, channel, member, self.by.address)
        return actor, asks.ask(session, actor, delivery.ask_id)

    def _seen(self, session: Session) -> Ask:
        actor, ask = self._find(session)
        decision = self.carried.decision
        refuse_settled(ask)
        refuse_outside(ask)
        permit(session, in_whose_name(session, actor, ask, decision), ask, decision)
        if not self.carried.fits(ask.digest):
            raise SeenDifferent("This ask was changed since this message was sent. Open it to decide.")
        refuse_unshown(ask, decision)
        return ask


def _value(ask: Ask, number: int | None) -> Any:
    """What a choice stands for."""
    for choice, value in offered(ask):
        if choice.number == number:
            return value
    raise Invalid("This choice is not there any more.", errors=[FieldError("value", "choose one")])
