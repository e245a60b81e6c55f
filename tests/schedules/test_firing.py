"""The clock starts what is due: once, in the name of who made it, and however late."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from signoff.audit.models import AuditEntry
from signoff.catalog import actions as catalog
from signoff.catalog.queries import agent
from signoff.catalog.schemas import AgentDefinition
from signoff.engine.worker.timers import DueRows, Timers
from signoff.kit import clock
from signoff.kit.actor import Actor, Role
from signoff.kit.db.database import Database
from signoff.kit.errors import Invalid
from signoff.kit.ids import new_id
from signoff.notifications.models import Notification
from signoff.runs.models import Run
from signoff.runs.workflow.models import RunStep
from signoff.schedules import actions, firing
from signoff.schedules.models import Schedule
from signoff.schedules.schemas import ScheduleChange, ScheduleIn
from signoff.workflows import actions as workflows
from signoff.workflows.queries import NotDeployed, UnknownWorkflow, workflow
from signoff.workflows.reading import ReadWorkflow, read_workflow
from signoff.workspaces import actions as workspaces
from signoff.workspaces import queries as people
from signoff.workspaces.models import Member, User

SOURCE = DueRows("schedules", firing.due, firing.run_due, firing.next_time, firing.failed)
DAILY = ScheduleIn(agent="a", cron="0 9 * * *", timezone="Europe/Berlin", task="Count", name="Counting", input={"n": 1})


@dataclass(frozen=True)
class Scene:
    """A workspace with an admin, a member and the member's schedule, which was due three days ago."""

    db: Database
    admin: Actor
    member: Actor
    schedule_id: str

    @property
    def schedule(self) -> Schedule:
        return self.db.read(lambda s: s.get_one(Schedule, self.schedule_id))

    def runs(self) -> list[Run]:
        return self.db.read(lambda s: list(s.scalars(select(Run).order_by(Run.id))))

    def notices(self) -> list[Notification]:
        return self.db.read(lambda s: list(s.scalars(select(Notification).order_by(Notification.id))))

    def audited(self) -> list[AuditEntry]:
        query = select(AuditEntry).where(AuditEntry.subject == self.schedule_id).order_by(AuditEntry.number)
        return self.db.read(lambda s: list(s.scalars(query)))

    def set_due(self, ago: timedelta = timedelta(days=3)) -> None:
        change = update(Schedule).values(next_at=clock.now().replace(second=0, microsecond=0) - ago)
        self.db.write(lambda s: s.execute(change))

    def change(self, work: Callable[[Session], Any]) -> None:
        self.db.write(work)

    def tick(self) -> None:
        asyncio.run(Timers(self.db, [SOURCE]).run_due())


@pytest.fixture
def scene(db: Database) -> Scene:
    def build(session: Session) -> Scene:
        first = workspaces.found(session, "w", f"{new_id()}@example.org", "w")
        user = User(email="ann@example.org", name="Ann")
        session.add(user)
        session.flush()
        place = {"workspace_id": first.workspace_id, "user_id": user.id}
        second = Member(**place, role=Role.MEMBER.value, accepted_at=clock.now())
        session.add(second)
        session.flush()
        admin, member = (people.actor_of(session, each, "token") for each in (first, second))
        catalog.create(session, admin, "a", AgentDefinition(name="a", model="demo:a"))
        return Scene(db, admin, member, actions.create(session, member, DAILY).id)

    made = db.write(build)
    made.set_due()
    return made


def set_role(scene: Scene, role: str) -> None:
    change = update(Member).where(Member.user_id == scene.member.user_id).values(role=role)
    scene.change(lambda s: s.execute(change))


def delete_agent(scene: Scene) -> None:
    scene.change(lambda s: catalog.delete(s, scene.admin, agent(s, scene.admin, "a")))


def test_what_was_missed_for_days_runs_once_and_the_next_time_is_ahead(scene: Scene) -> None:
    for _ in range(3):
        scene.tick()
    (run,) = scene.runs()
    assert (run.schedule_id, run.agent, run.title, run.task, run.input) == (
        *(scene.schedule_id, "a", "Counting", "Count"),
        {"n": 1},
    )
    after = scene.schedule
    assert after.next_at is not None
    assert after.next_at > clock.now()
    assert (after.last_run_id, after.failures, after.last_error) == (run.id, 0, None)


def test_its_run_is_its_makers_who_cannot_be_the_other_pair_of_eyes(scene: Scene) -> None:
    said = ScheduleChange(task="Count all")
    scene.change(lambda s: actions.change(s, scene.admin, s.get_one(Schedule, scene.schedule_id), said))
    scene.tick()
    (run,) = scene.runs()
    assert (run.created_by, run.task) == ("ann@example.org", "Count all")
    assert {scene.member.user_id, scene.admin.user_id} <= set(run.parties)
    fired = scene.audited()[-1]
    assert (fired.action, fired.actor, fired.run_id, fired.data["via"]) == (
        *("schedule.fired", "ann@example.org", run.id),
        "schedule",
    )


def test_of_many_servers_that_look_at_once_one_starts_it(scene: Scene) -> None:
    at = clock.now()

    def look(_number: int) -> None:
        scene.db.write(lambda s: firing.run_due(s, scene.schedule_id, at))

    with ThreadPoolExecutor(8) as servers:
        list(servers.map(look, range(16)))
    assert len(scene.runs()) == 1


def test_one_that_was_paused_a_moment_ago_starts_nothing(scene: Scene) -> None:
    at = clock.now()
    off = ScheduleChange(enabled=False)
    scene.change(lambda s: actions.change(s, scene.member, s.get_one(Schedule, scene.schedule_id), off))
    scene.change(lambda s: firing.run_due(s, scene.schedule_id, at))
    assert scene.runs() == []


@pytest.mark.parametrize("gone", ["removed", "viewer"])
def test_without_its_maker_it_is_switched_off_and_the_admins_hear_of_it(scene: Scene, gone: str) -> None:
    if gone == "viewer":
        set_role(scene, "viewer")
    else:
        scene.change(lambda s: s.delete(people.membership(s, scene.member.workspace_id, scene.member.user_id or "")))
    scene.tick()
    after = scene.schedule
    assert (scene.runs(), after.enabled, after.next_at) == ([], False, None)
    assert "ann@example.org made it and is" in (after.disabled_reason or "")
    (notice,) = scene.notices()
    assert "role:admin" in notice.recipients
    assert "switched off" in notice.text
    assert scene.audited()[-1].action == "schedule.switched_off"


def test_a_maker_who_rose_gives_it_no_more_than_what_it_was_made_with(scene: Scene) -> None:
    def limit(session: Session) -> None:
        session.get_one(Schedule, scene.schedule_id).scope = "member"

    set_role(scene, "admin")
    scene.change(limit)
    found = scene.db.read(lambda s: firing.owner(s, s.get_one(Schedule, scene.schedule_id)))
    assert isinstance(found, Actor)
    assert found.role is Role.MEMBER


def test_one_made_with_a_token_of_an_admin_ends_with_that_admin(scene: Scene) -> None:
    def hand(session: Session) -> None:
        session.get_one(Schedule, scene.schedule_id).makers = [scene.admin.user_id or ""]

    scene.change(hand)
    scene.tick()
    (run,) = scene.runs()
    assert scene.admin.user_id in run.parties
    demote = update(Member).where(Member.user_id == scene.admin.user_id).values(role="viewer")
    scene.change(lambda s: s.execute(demote))
    scene.set_due()
    scene.tick()
    assert len(scene.runs()) == 1
    assert "no longer an admin" in (scene.schedule.disabled_reason or "")


def test_what_cannot_start_is_kept_told_and_tried_at_the_next_time(scene: Scene) -> None:
    delete_agent(scene)
    scene.tick()
    after = scene.schedule
    assert (after.enabled, after.failures, after.last_error) == (True, 1, "No agent 'a' in this workspace.")
    assert after.next_at is not None
    assert after.next_at > clock.now()
    (notice,) = scene.notices()
    assert notice.recipients == ["ann@example.org"]
    assert "No agent 'a'" in notice.text


def test_a_start_that_fails_in_the_middle_leaves_nothing_behind(scene: Scene) -> None:
    needy = AgentDefinition.model_validate({"name": "a", "model": "demo:a", "connections_required": ["crm"]})
    scene.change(lambda s: catalog.create(s, scene.admin, "needy", needy))
    scene.change(lambda s: s.execute(update(Schedule).values(agent="needy")))
    scene.tick()
    assert scene.runs() == []
    assert "crm" in (scene.schedule.last_error or "")
    assert [each.action for each in scene.audited()] == ["schedule.created", "schedule.failed"]


def test_after_five_failures_in_a_row_it_is_off_until_somebody_switches_it_on(scene: Scene) -> None:
    delete_agent(scene)
    for number in range(1, 6):
        scene.set_due()
        scene.tick()
        assert scene.schedule.failures == number
        assert scene.schedule.enabled is (number < 5)
    assert "5 times in a row" in (scene.schedule.disabled_reason or "")
    assert "role:admin" in scene.notices()[-1].recipients
    on = ScheduleChange(enabled=True)
    scene.change(lambda s: actions.change(s, scene.member, s.get_one(Schedule, scene.schedule_id), on))
    after = scene.schedule
    assert (after.enabled, after.failures, after.disabled_reason, after.last_error) == (True, 0, None, None)


def test_the_clock_knows_when_it_is_needed_next(scene: Scene) -> None:
    def look(session: Session) -> tuple[datetime | None, list[str]]:
        return firing.next_time(session), list(firing.due(session, clock.now(), 10))

    assert scene.db.read(look) == (scene.schedule.next_at, [scene.schedule_id])
    scene.tick()
    assert scene.db.read(look) == (scene.schedule.next_at, [])


def invoices(*needed: str) -> ReadWorkflow:
    said = {"name": "Invoices", "steps": [{"id": "read", "agent": "a"}]}
    return read_workflow({"slug": "invoices", **said, "input_schema": {"type": "object", "required": list(needed)}})


def make_workflow(scene: Scene, *, draft: bool = False) -> None:
    scene.change(lambda s: workflows.create(s, scene.admin, invoices("month"), draft=draft))


def need_more(scene: Scene) -> None:
    """A newer version wants what schedules do not give."""
    wanted = invoices("month", "year")
    scene.change(lambda s: workflows.save(s, scene.admin, workflow(s, scene.admin, "invoices"), wanted, draft=False))


def schedule_workflow(scene: Scene, given: Any) -> None:
    change = ScheduleChange(workflow="invoices", task=None, input=given)
    scene.change(lambda s: actions.change(s, scene.member, s.get_one(Schedule, scene.schedule_id), change))


def test_a_workflow_runs_by_the_clock_in_the_name_of_who_made_the_schedule(scene: Scene) -> None:
    make_workflow(scene)
    schedule_workflow(scene, {"month": "May"})
    scene.tick()
    (run,) = scene.runs()
    assert (run.kind, run.workflow, run.schedule_id) == ("workflow", "invoices", scene.schedule_id)
    assert (run.title, run.input, run.created_by) == ("Counting", {"month": "May"}, "ann@example.org")
    assert scene.member.user_id in run.parties
    assert scene.db.read(lambda s: [row.step for row in s.scalars(select(RunStep))]) == ["read"]
    assert scene.schedule.last_run_id == run.id


@pytest.mark.parametrize("given", [{"year": 2026}, {}, None])
def test_an_input_that_the_workflow_refuses_is_refused_while_somebody_is_there(scene: Scene, given: Any) -> None:
    make_workflow(scene)
    for _ in ("an agent's until now", "the workflow's own"):
        with pytest.raises(Invalid) as refused:
            schedule_workflow(scene, given)
        assert [each.message for each in refused.value.errors] == ["'month' is missing"]
        schedule_workflow(scene, {"month": "May"})


def test_an_input_that_fits_no_more_is_told_to_who_made_the_schedule(scene: Scene) -> None:
    make_workflow(scene)
    schedule_workflow(scene, {"month": "May"})
    need_more(scene)
    scene.tick()
    assert scene.runs() == []
    assert scene.schedule.last_error == "The input does not fit the workflow's schema. input: 'year' is missing"
    assert scene.notices()


def test_a_schedule_whose_input_fits_no_more_can_still_be_paused(scene: Scene) -> None:
    make_workflow(scene)
    schedule_workflow(scene, {"month": "May"})
    need_more(scene)
    pause = ScheduleChange(enabled=False)
    scene.change(lambda s: actions.change(s, scene.member, s.get_one(Schedule, scene.schedule_id), pause))
    assert not scene.schedule.enabled


def test_a_workflow_that_is_gone_starts_nothing_and_the_schedule_says_so(scene: Scene) -> None:
    make_workflow(scene)
    schedule_workflow(scene, {"month": "May"})
    scene.change(lambda s: workflows.delete(s, scene.admin, workflow(s, scene.admin, "invoices")))
    scene.tick()
    assert scene.runs() == []
    assert scene.schedule.last_error == "No workflow 'invoices' in this workspace."


def test_what_is_not_there_or_has_only_drafts_is_not_scheduled(scene: Scene) -> None:
    with pytest.raises(UnknownWorkflow):
        schedule_workflow(scene, {})
    make_workflow(scene, draft=True)
    with pytest.raises(NotDeployed):
        schedule_workflow(scene, {})
