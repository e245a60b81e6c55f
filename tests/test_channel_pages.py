"""The guide's examples are read and run as they are printed."""

import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.main import get_command

from signoff.catalog.schemas import AgentNotifications
from signoff.channels.kinds import TRANSPORTS
from signoff.channels.schemas import ChannelIn
from signoff.channels.webhook.events import EVENTS
from signoff.channels.webhook.secrets import new_signing_secret
from signoff.channels.webhook.transport import signed_headers
from signoff.cli import app
from signoff.workspaces.schemas import Preferences
from tests.policy.trying import problems

GUIDE = Path(__file__).parents[1] / "docs" / "guide" / "channels"
PAGES = {path.name: path.read_text() for path in GUIDE.glob("*.md")}


def blocks(language: str, *pages: str) -> list[str]:
    """Also those that are indented, in a list."""
    pattern = re.compile(rf"^ *```{language}\n(.*?)^ *```", re.DOTALL | re.MULTILINE)
    return [found for page in pages or PAGES for found in pattern.findall(PAGES[page])]


CHANNELS = [json.loads(block) for block in blocks("json") if '"kind"' in block]


@pytest.mark.parametrize("given", CHANNELS, ids=lambda given: given["kind"])
def test_every_channel_in_the_guide_can_be_set_up_like_that(given: dict[str, Any]) -> None:
    body = ChannelIn.model_validate(given)
    transport = TRANSPORTS[body.kind]
    transport.settings_model.model_validate(body.settings)
    assert set(body.secrets) <= set(transport.secret_names)
    made = {"secret"} if body.kind == "webhook" else set[str]()
    assert {name for name, needed in transport.secret_names.items() if needed} <= set(body.secrets) | made


def test_the_guide_sets_up_every_kind_that_needs_it() -> None:
    assert {given["kind"] for given in CHANNELS} >= {"email", "slack", "teams", "webhook", "apprise"}


def test_preferences_agents_and_rules_can_be_read() -> None:
    (preferences,) = (json.loads(block) for block in blocks("json", "README.md"))
    Preferences.model_validate(preferences)
    agent, rules = blocks("yaml", "README.md")
    notifications = yaml.safe_load(agent)["notifications"]
    assert set(notifications) == set(AgentNotifications.model_fields)
    AgentNotifications.model_validate(notifications)
    assert problems(rules) == []


def test_the_guide_names_every_event_of_a_webhook() -> None:
    assert [event for event in EVENTS if f"`{event}`" not in PAGES["webhook.md"]] == []


def test_a_webhook_is_verified_as_the_guide_says() -> None:
    (example,) = blocks("python", "webhook.md")
    space: dict[str, Any] = {}
    exec(example, space)
    secret, body = new_signing_secret(), '{"type": "ask.created"}'
    headers = signed_headers("delivery", body, [secret, new_signing_secret()], datetime.now(UTC))
    assert space["received"](secret, body.encode(), headers) == {"type": "ask.created"}
    assert space["received"](new_signing_secret(), body.encode(), headers) is None


def test_every_command_in_the_guide_is_there() -> None:
    lines = [line.split("#")[0].split() for block in blocks("sh") for line in block.splitlines()]
    commands = [words[1:] for words in lines if words[:1] == ["signoff"]]
    assert len(commands) > 5
    for words in commands:
        found: Any = get_command(app)
        while words and hasattr(found, "commands") and words[0] in found.commands:
            found, words = found.commands[words[0]], words[1:]
        known = {option for each in found.params for option in each.opts}
        assert {word for word in words if word.startswith("--")} <= known
        assert found.name != "signoff"
