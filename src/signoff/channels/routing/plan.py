"""Which messages go out for one notification: to whom, by which channel, when, and what in its place. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from signoff.channels.addresses import gets_mail
from signoff.channels.routing.quiet_hours import quiet_until
from signoff.channels.routing.subjects import TABLE, Reach, Subject
from signoff.kit.text.time_words import in_words
from signoff.workspaces.schemas import Preferences

# Who has the page open sees it there: other ways come only if they do not answer.
PAGE_OPEN = timedelta(seconds=60)
# Who was reached by push gets mail only if they do not answer.
AFTER_PUSH = timedelta(minutes=5)
# Those who are not the fastest to decide.
AFTER_THE_FASTEST = timedelta(minutes=10)

PUSH, EMAIL = "push", "email"


@dataclass(frozen=True)
class Place:
    """A channel that is on."""

    id: str
    kind: str
    name: str
    personal: bool
    shared: bool
    about: tuple[str, ...] = ()
    # Of a place that many read: its name there.
    target: str = ""

    def is_named(self, names: Sequence[str]) -> bool:
        return any(each.lower() in (self.kind, self.name.lower()) for each in names)


@dataclass(frozen=True)
class Person:
    """Somebody who is to hear of it."""

    email: str
    name: str
    member_id: str | None = None
    preferences: Preferences = field(default_factory=Preferences)
    present: bool = False
    browsers: int = 0
    # Why they are told, where it is not for themselves: "for Ana, who is away".
    why: str = ""
    # Told only later, if nobody decides: somebody else is usually faster.
    later: bool = False

    def wants(self, place: Place) -> bool:
        """By the channel's own name if they said so, else by its kind; direct messages only if they want them. Mail
        that could not arrive is not sent."""
        if place.kind == EMAIL and not gets_mail(self.email):
            return False
        chosen = self.preferences.channels
        for name in (place.name, place.kind):
            if name in chosen:
                return chosen[name]
        return place.kind in (PUSH, EMAIL)


@dataclass(frozen=True)
class Wanted:
    """What there is to tell."""

    subject: Subject
    urgent: bool = False
    # It waits for an answer, so what is held back goes out only while it does.
    open: bool = False
    deadline: datetime | None = None
    # The channels that its rule or agent names; empty: those of the workspace.
    channels: tuple[str, ...] = ()
    # The agent's own word about mail; None: as people want it.
    mail: bool | None = None
    # Those who are told were named themselves, so they are reached in person whatever a rule says of channels.
    in_person: bool = False


@dataclass(frozen=True)
class Planned:
    place: Place
    person: Person | None
    why: str
    # None: only when what it stands in for has failed.
    due_at: datetime | None
    instead_of: "Planned | None" = None


def plan(wanted: Wanted, people: Sequence[Person], places: Sequence[Place], at: datetime) -> list[Planned]:
    """Every message, those that wait for others included."""
    reach = _reach(wanted, places)
    shared = [Planned(place, None, f"posted to {place.name}", at) for place in places if _is_told(place, wanted, reach)]
    narrowed = bool(wanted.channels) and not wanted.in_person
    personal = [place for place in places if place.personal and (not narrowed or place.is_named(wanted.channels))]
    if narrowed and not shared and not personal:
        # What was named is not there, or is off: better by mail than by nobody.
        why = f"no channel named {', '.join(wanted.channels)} is on"
        return [replace(each, due_at=at, why=why) for each in _by_mail(people, places, "")]
    found = list(shared)
    for person in people:
        found += _to_one(wanted, reach, person, personal, at)
    if narrowed and not any(each.kind == EMAIL for each in personal):
        for post in shared:
            why = f"{post.place.name} could not be reached"
            found += [replace(each, instead_of=post) for each in _by_mail(people, places, why)]
    return found


def _reach(wanted: Wanted, places: Sequence[Place]) -> Reach:
    reach = TABLE[wanted.subject]
    # Who names a way to single people wants it, whatever is usual.
    named = {each.kind for each in places if each.personal and not each.shared and each.is_named(wanted.channels)}
    reach = replace(reach, push=reach.push or PUSH in named, written=reach.written or bool(named - {PUSH}))
    # Mail that is switched off leaves direct messages as they are.
    return replace(reach, written=True) if wanted.mail else reach


def _is_told(place: Place, wanted: Wanted, reach: Reach) -> bool:
    if not place.shared:
        return False
    if wanted.channels:
        return place.is_named(wanted.channels)
    return reach.about is not None and reach.about in place.about


def _to_one(wanted: Wanted, reach: Reach, person: Person, places: Sequence[Place], at: datetime) -> Iterator[Planned]:
    begin, why = _begin(wanted, person, at)
    push = next((each for each in places if each.kind == PUSH), None)
    pushed = None
    if reach.push and push and person.browsers and person.wants(push):
        pushed = Planned(push, person, why, begin)
        yield pushed
    if not reach.written:
        return
    for place in _written_ways(person, places):
        if place.kind == EMAIL and wanted.mail is False:
            continue
        if pushed is None or wanted.urgent or wanted.mail:
            yield Planned(place, person, why, begin)
        elif wanted.open:
            wait = _wait(wanted, begin, AFTER_PUSH)
            reason = f"{why}; not answered within {in_words(round(wait.total_seconds()))} of the push"
            yield Planned(place, person, reason.removeprefix("; "), begin + wait, pushed)
        else:
            yield Planned(place, person, why, None, pushed)


def _written_ways(person: Person, places: Sequence[Place]) -> list[Place]:
    """One mail, and every direct message that they want. Who is outside the workspace can only get mail."""
    mail = next((each for each in places if each.kind == EMAIL), None)
    found = [mail] if mail and person.wants(mail) else []
    if person.member_id is None:
        return found
    direct = [each for each in places if each.kind not in (PUSH, EMAIL) and person.wants(each)]
    return [*direct, *found]


def _begin(wanted: Wanted, person: Person, at: datetime) -> tuple[datetime, str]:
    """When the first message to somebody goes out, and why then."""
    hours = person.preferences.quiet_hours
    if wanted.urgent and not (hours and hours.even_urgent):
        return at, person.why
    reasons, begin = [person.why] if person.why else [], at
    if person.later and wanted.open:
        begin = at + _wait(wanted, at, AFTER_THE_FASTEST)
        reasons.append("somebody else usually decides this sooner")
    elif person.present and wanted.open:
        begin = at + _wait(wanted, at, PAGE_OPEN)
        reasons.append("the app was open")
    quiet = quiet_until(hours, begin)
    if quiet is not None and not _cannot_wait(wanted, quiet):
        begin = quiet
        reasons.append("after their quiet hours")
    return begin, "; ".join(reasons)


def _wait(wanted: Wanted, begin: datetime, usual: timedelta) -> timedelta:
    """How long something is held back: at least half of the time that is left to answer stays."""
    if wanted.deadline is None:
        return usual
    return max(min(usual, (wanted.deadline - begin) / 2), timedelta(0))


def _cannot_wait(wanted: Wanted, until: datetime) -> bool:
    """Nobody could answer any more when they wake up."""
    return wanted.deadline is not None and wanted.deadline <= until


def _by_mail(people: Sequence[Person], places: Sequence[Place], why: str) -> Iterator[Planned]:
    """Those whom it concerns by mail, held back until somebody needs it."""
    mail = next((each for each in places if each.kind == EMAIL), None)
    for person in people if mail else ():
        if mail and person.wants(mail):
            yield Planned(mail, person, why, None)
