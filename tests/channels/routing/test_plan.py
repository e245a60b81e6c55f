"""Who is told by which channel and when: seed 002's table row by row, then what people, rules and agents change."""

from datetime import UTC, datetime, timedelta

import pytest

from signoff.asks.states import AskKind
from signoff.channels.routing.plan import AFTER_PUSH, AFTER_THE_FASTEST, PAGE_OPEN, Person, Place, Wanted, plan
from signoff.channels.routing.quiet_hours import quiet_until
from signoff.channels.routing.subjects import Subject, subject
from signoff.notifications.models import NoticeKind
from signoff.workspaces.schemas import Preferences, QuietHours

NOW = datetime(2026, 11, 18, 12, 0, tzinfo=UTC)
MAIL = Place("m", "email", "Mail", personal=True, shared=False)
PUSH = Place("p", "push", "Browser push", personal=True, shared=False)
TEAMS = Place("t", "teams", "Ops room", personal=False, shared=True, about=("asks", "failures"), target="Ops room")
SLACK = Place("s", "slack", "Slack", personal=True, shared=True, about=("asks",), target="#approvals")
EVERYTHING = [MAIL, PUSH, TEAMS]
ANN = Person("ann@example.org", "Ann", "1", browsers=1)
ASK = NoticeKind.ASK


def told(wanted: Wanted, person: Person = ANN, places: list[Place] = EVERYTHING) -> list[tuple[str, timedelta | None]]:
    """By which kinds of channels, and how long after now."""
    found = plan(wanted, [person], places, NOW)
    return [(each.place.kind, each.due_at - NOW if each.due_at else None) for each in found]


AT_ONCE = timedelta(0)


def test_a_blocking_question_goes_to_the_browser_and_then_by_mail() -> None:
    about = subject(ASK, AskKind.QUESTION)
    assert about is Subject.BLOCKING_QUESTION
    assert told(Wanted(about, open=True), places=[MAIL, PUSH]) == [("push", AT_ONCE), ("email", AFTER_PUSH)]


def test_a_question_that_does_not_block_goes_to_the_browser_only() -> None:
    about = subject(ASK, AskKind.QUESTION, blocking=False)
    assert about is Subject.NON_BLOCKING_QUESTION
    assert told(Wanted(about, open=True)) == [("push", AT_ONCE)]


def test_an_approval_goes_to_the_browser_and_then_by_mail() -> None:
    for kind in (AskKind.APPROVAL, AskKind.PLAN, AskKind.MILESTONE, AskKind.BUDGET):
        about = subject(ASK, kind)
        assert about is Subject.APPROVAL
        assert told(Wanted(about, open=True), places=[MAIL, PUSH]) == [("push", AT_ONCE), ("email", AFTER_PUSH)]
    assert subject(ASK, AskKind.QUESTION, lets_act=True) is Subject.APPROVAL


def test_an_error_recovery_goes_to_the_browser_only() -> None:
    about = subject(ASK, AskKind.RECOVERY)
    assert about is Subject.ERROR_RECOVERY
    assert told(Wanted(about, open=True), places=[MAIL, PUSH]) == [("push", AT_ONCE)]


def test_progress_goes_to_the_browser_of_who_wants_it() -> None:
    about = subject(NoticeKind.PROGRESS, None)
    assert about is Subject.PROGRESS
    assert told(Wanted(about)) == [("push", AT_ONCE)]


@pytest.mark.parametrize("asked", [AskKind.APPROVAL, AskKind.QUESTION])
def test_who_has_the_page_open_is_told_elsewhere_only_if_they_do_not_answer(asked: AskKind) -> None:
    here = Person("ann@example.org", "Ann", "1", browsers=1, present=True)
    wanted = Wanted(subject(ASK, asked), open=True)
    assert told(wanted, here, [MAIL, PUSH]) == [("push", PAGE_OPEN), ("email", PAGE_OPEN + AFTER_PUSH)]


def test_without_a_browser_mail_comes_at_once() -> None:
    nobody = Person("ann@example.org", "Ann", "1")
    assert told(Wanted(Subject.APPROVAL, open=True), nobody, [MAIL, PUSH]) == [("email", AT_ONCE)]


def test_what_is_urgent_comes_every_way_at_once_even_to_who_is_present() -> None:
    here = Person("ann@example.org", "Ann", "1", browsers=1, present=True)
    wanted = Wanted(Subject.APPROVAL, open=True, urgent=True)
    assert told(wanted, here, [MAIL, PUSH]) == [("push", AT_ONCE), ("email", AT_ONCE)]


def test_a_failure_comes_by_mail_only_if_the_push_fails() -> None:
    assert told(Wanted(Subject.FAILURE), places=[MAIL, PUSH]) == [("push", AT_ONCE), ("email", None)]


def test_places_that_many_read_are_told_of_what_they_are_set_up_for() -> None:
    assert told(Wanted(Subject.FAILURE), Person("x", "x", "1"), [TEAMS]) == [("teams", AT_ONCE)]
    assert told(Wanted(Subject.COMPLETION), Person("x", "x", "1"), [TEAMS]) == []


def test_a_rules_channels_replace_those_of_the_workspace_and_mail_steps_in_where_they_fail() -> None:
    wanted = Wanted(Subject.APPROVAL, open=True, channels=("teams",))
    found = plan(wanted, [ANN], [*EVERYTHING, SLACK], NOW)
    assert [(each.place.kind, each.due_at) for each in found] == [("teams", NOW), ("email", None)]
    assert found[1].instead_of is found[0]


def test_a_rule_names_channels_by_kind_or_by_name() -> None:
    for names in (("Ops Room", "email"), ("teams", "EMAIL")):
        wanted = Wanted(Subject.ERROR_RECOVERY, open=True, channels=names)
        assert told(wanted) == [("teams", AT_ONCE), ("email", AT_ONCE)]


@pytest.mark.parametrize("subject", [Subject.COMPLETION, Subject.ERROR_RECOVERY, Subject.AUTO_APPROVAL])
@pytest.mark.parametrize("named", ["email", "mail", "Browser push"])
def test_what_is_named_is_used_whatever_is_usual(subject: Subject, named: str) -> None:
    """Also a channel whose own name is not its kind."""
    kinds = [kind for kind, _ in told(Wanted(subject, channels=(named,)))]
    assert kinds == ["push" if "push" in named else "email"]


def test_people_switch_channels_off_and_direct_messages_on() -> None:
    quiet = Person("a", "A", "1", Preferences(channels={"email": False, "slack": True}))
    assert told(Wanted(Subject.APPROVAL, open=True), quiet, [MAIL, SLACK]) == [("slack", AT_ONCE), ("slack", AT_ONCE)]


def test_nobody_is_mailed_where_no_mail_arrives() -> None:
    office = Person("admin@office", "Admin", "1")
    asked = Wanted(Subject.APPROVAL, open=True)
    assert told(asked, Person("admin@localhost", "Admin", "1"), [MAIL]) == []
    assert told(asked, office, [MAIL]) == [("email", AT_ONCE)]


def test_an_agent_mails_at_once_or_never() -> None:
    assert told(Wanted(Subject.COMPLETION, mail=True), places=[MAIL, PUSH])[-1] == ("email", AT_ONCE)
    assert told(Wanted(Subject.APPROVAL, open=True, mail=False), places=[MAIL, PUSH]) == [("push", AT_ONCE)]


def test_who_is_not_the_fastest_hears_of_it_later() -> None:
    slow = Person("b", "B", "2", later=True)
    assert told(Wanted(Subject.APPROVAL, open=True), slow, [MAIL]) == [("email", AFTER_THE_FASTEST)]


@pytest.mark.parametrize("person", [ANN, Person("b", "B", "2", later=True), Person("c", "C", "3", present=True)])
def test_nothing_is_held_back_for_more_than_half_of_the_time_to_answer(person: Person) -> None:
    soon = Wanted(Subject.APPROVAL, open=True, deadline=NOW + timedelta(seconds=60))
    assert told(soon, person, [MAIL, PUSH])[-1] == ("email", timedelta(seconds=30))
    over = Wanted(Subject.APPROVAL, open=True, deadline=NOW - timedelta(seconds=1))
    assert told(over, person, [MAIL, PUSH])[-1] == ("email", AT_ONCE)


def test_who_is_outside_the_workspace_gets_a_mail_and_nothing_else() -> None:
    outside = Person("boss@elsewhere.org", "boss@elsewhere.org")
    assert told(Wanted(Subject.APPROVAL, open=True, urgent=True), outside, [MAIL, PUSH]) == [("email", AT_ONCE)]


NIGHT = QuietHours(start="22:00", end="07:00", timezone="Europe/Berlin")


def test_quiet_hours_hold_back_what_can_wait() -> None:
    at = datetime(2026, 11, 18, 23, 30, tzinfo=UTC)
    sleeper = Person("a", "A", "1", Preferences(quiet_hours=NIGHT))

    def due(wanted: Wanted) -> datetime | None:
        return plan(wanted, [sleeper], [MAIL], at)[0].due_at

    morning = datetime(2026, 11, 19, 6, 0, tzinfo=UTC)
    assert due(Wanted(Subject.APPROVAL, open=True)) == morning
    assert due(Wanted(Subject.APPROVAL, open=True, urgent=True)) == at
    # It would be over before they wake up.
    assert due(Wanted(Subject.APPROVAL, open=True, deadline=at + timedelta(hours=1))) == at
    assert due(Wanted(Subject.APPROVAL, open=True, deadline=at + timedelta(days=1))) == morning
    sleeper = Person("a", "A", "1", Preferences(quiet_hours=NIGHT.model_copy(update={"even_urgent": True})))
    assert due(Wanted(Subject.APPROVAL, open=True, urgent=True)) == morning


@pytest.mark.parametrize(
    ("at", "until"),
    [
        ("2026-11-18T20:59+00:00", None),
        ("2026-11-18T21:00+00:00", "2026-11-19T06:00+00:00"),
        ("2026-11-19T05:59+00:00", "2026-11-19T06:00+00:00"),
        ("2026-11-19T06:00+00:00", None),
        # The night in which summer time ends is an hour longer.
        ("2026-10-24T21:00+00:00", "2026-10-25T06:00+00:00"),
    ],
)
def test_a_night_is_over_by_the_clock_on_the_wall(at: str, until: str | None) -> None:
    expected = datetime.fromisoformat(until) if until else None
    assert quiet_until(NIGHT, datetime.fromisoformat(at)) == expected


def test_quiet_hours_within_one_day_and_of_no_length() -> None:
    noon = QuietHours(start="12:00", end="13:00")
    assert quiet_until(noon, NOW) == NOW + timedelta(hours=1)
    assert quiet_until(QuietHours(start="12:00", end="12:00"), NOW) is None
    assert quiet_until(None, NOW) is None


def test_a_channel_that_is_named_and_not_there_leaves_nobody_untold() -> None:
    found = plan(Wanted(Subject.APPROVAL, open=True, channels=("temas",)), [ANN], EVERYTHING, NOW)
    assert [(each.place.kind, each.due_at) for each in found] == [("email", NOW)]
    assert "no channel named temas is on" in found[0].why


def test_who_is_escalated_to_is_reached_in_person_whatever_channels_are_named() -> None:
    wanted = Wanted(Subject.APPROVAL, open=True, urgent=True, channels=("teams",), in_person=True)
    assert told(wanted, Person("b", "B", "2")) == [("teams", AT_ONCE), ("email", AT_ONCE)]


def test_mail_that_an_agent_switches_off_leaves_direct_messages_alone() -> None:
    chats = Person("a", "A", "1", Preferences(channels={"slack": True}))
    assert told(Wanted(Subject.APPROVAL, open=True, mail=False), chats, [MAIL, SLACK])[-1] == ("slack", AT_ONCE)
