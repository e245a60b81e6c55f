from typing import Annotated, Any

from fastapi import Path
from sqlalchemy.orm import Session

from signoff.kit.actor import Actor, Role
from signoff.kit.errors import Conflict, NotFound
from signoff.kit.paging import Page, page
from signoff.kit.routing import Paging, api_router, errors
from signoff.policy.format.rule_file import RuleFile
from signoff.policy.warnings.find import find_warnings
from signoff.policy.warnings.signers import People
from signoff.policy.yaml.read import BadRules
from signoff.rules import actions, queries
from signoff.rules.actions import InvalidRules, RulesMoved
from signoff.rules.models import RuleVersion
from signoff.rules.people import everybody
from signoff.rules.schemas import (
    CheckOut,
    RuleProblemOut,
    RulesIn,
    RulesOut,
    RulesText,
    SavedRulesOut,
    StopIn,
    VersionOut,
)
from signoff.rules.workflow_names import deployed_workflows
from signoff.workspaces.access import Caller
from signoff.workspaces.channel_names import names_of_channels

router = api_router("rules", "/api/rules")


class RulesFromFile(Conflict):
    """The rules are read from a file: that is the place to change them."""

    code = "rules_from_file"


@router.get("")
def get_rules(caller: Caller) -> RulesOut:
    """The rules in force."""
    return caller.read(lambda session, actor: RulesOut.of(queries.current(session, actor)))


@router.put("", responses=errors(InvalidRules, RulesMoved))
def put_rules(body: RulesIn, caller: Caller) -> SavedRulesOut:
    """Put rules in force everywhere. A text with a mistake is refused whole, with the place of each mistake."""
    if caller.settings.rules is not None:
        name = caller.settings.rules.name
        raise RulesFromFile(f"The rules come from the file {name}. Change them there.", state={"file": name})

    def work(session: Session, actor: Actor) -> SavedRulesOut:
        # Before the row is held: looking at everybody takes a moment.
        found = _warnings(body.yaml, *_what_there_is(session, actor))
        saved = actions.save(session, actor, body.yaml, based_on=body.version, note=body.note)
        return SavedRulesOut(**RulesOut.of(saved).model_dump(), warnings=found)

    return caller.write(work, Role.ADMIN)


@router.post("/check")
def check_rules(body: RulesText, caller: Caller) -> CheckOut:
    """What is wrong with a text of rules, by line and column, and what could not work. Nothing is saved."""
    known = caller.read(_what_there_is)
    found = [RuleProblemOut.of(each) for each in actions.problems(body.yaml)]
    return CheckOut(ok=not found, errors=found, warnings=[] if found else _warnings(body.yaml, *known))


def _what_there_is(session: Session, actor: Actor) -> tuple[People, list[str], list[str]]:
    return everybody(session, actor), names_of_channels(session, actor, on=True), deployed_workflows(session, actor)


def _warnings(text: str, people: People, channels: list[str], workflows: list[str]) -> list[RuleProblemOut]:
    try:
        return [RuleProblemOut.of(each) for each in find_warnings(text, people, channels, workflows)]
    except BadRules:
        return []


@router.get("/schema")
def get_rules_schema(caller: Caller) -> dict[str, Any]:
    """The JSON Schema of a rules file, for editors."""
    caller.read(lambda _, actor: actor)
    return RuleFile.model_json_schema(by_alias=True)


@router.get("/versions")
def list_rule_versions(caller: Caller, window: Paging) -> Page[VersionOut]:
    """Every version that was in force, newest first."""

    def work(session: Session, actor: Actor) -> Page[VersionOut]:
        found = queries.versions(actor)
        return page(session, found, [RuleVersion.version], window, VersionOut.model_validate, descending=True)

    return caller.read(work)


@router.get("/versions/{version}", responses=errors(NotFound))
def get_rule_version(version: Annotated[int, Path(ge=0, le=2**31 - 1)], caller: Caller) -> VersionOut:
    return caller.read(lambda s, actor: VersionOut.model_validate(queries.version(s, actor, version)))


@router.post("/emergency-stop")
def emergency_stop(body: StopIn, caller: Caller) -> RulesOut:
    """Switch every auto-approval and allowance off, or on again."""
    return caller.write(lambda s, actor: RulesOut.of(actions.stop(s, actor, body.enabled)), Role.ADMIN)
