"""Agents as YAML files in a folder."""

from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError
from sqlalchemy import select
from sqlalchemy.orm import Session

from signoff.catalog import actions
from signoff.catalog.models import Agent
from signoff.catalog.schemas import AgentDefinition, AgentIn
from signoff.kit.actor import Actor
from signoff.kit.errors import Invalid
from signoff.kit.text.field_words import field_words

SHIPPED = Path(__file__).parent / "agents"


class BadAgentFile(Invalid):
    code = "bad_agent_file"


def read(path: Path) -> AgentIn:
    """One file, one agent; the file's name is the slug unless it says otherwise."""
    try:
        content: Any = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise BadAgentFile(f"{path.name} is not valid YAML: {error}") from error
    if not isinstance(content, dict):
        raise BadAgentFile(f"{path.name} must hold the fields of an agent (name, model, instructions, …).")
    fields: dict[str, Any] = {"slug": path.stem, **content}
    try:
        return AgentIn.model_validate(fields)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(step) for step in first["loc"])
        raise BadAgentFile(f"{path.name}: {place}: {field_words(first)}") from error


def load(session: Session, actor: Actor, folder: Path) -> list[str]:
    """Make or change the agents of a folder. All of them, or none when one file is broken."""
    found = [read(path) for path in sorted([*folder.glob("*.yaml"), *folder.glob("*.yml")])]
    for given in found:
        definition = AgentDefinition.model_validate(given.model_dump(exclude={"slug"}))
        known = session.scalar(select(Agent).where(Agent.workspace_id == actor.workspace_id, Agent.slug == given.slug))
        if known is None or known.deleted_at is not None:
            actions.create(session, actor, given.slug, definition)
        else:
            actions.change(session, actor, known, definition)
    return [given.slug for given in found]
