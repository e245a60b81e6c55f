"""Messages into a Slack: what is posted is what was shown, and pings nobody."""

from pathlib import Path

import pytest

from signoff.channels.port import ChannelError
from signoff.kit.settings import Settings
from signoff.policy.impact import ImpactKind
from signoff.tools.connections.slack.kind import SlackKind
from signoff.tools.effects import NoPreview
from signoff.tools.registry import ToolFailed
from tests.channels.slack.receiver import TOKEN, Slack
from tests.tools.connections.using import Desk


@pytest.fixture
def desk(slack: Slack, tmp_path: Path) -> Desk:
    return Desk(SlackKind(), {"channel": "#sales", "api_url": slack.url}, tmp_path, bot_token=TOKEN)


def test_what_is_posted_is_what_was_shown(desk: Desk, slack: Slack) -> None:
    assert desk.tested() is None
    said = "Done & dusted <!channel> <@U1> <https://evil.example|here>"
    shown = desk.previewed("post_message", text=said)
    assert (shown.kind, slack.of("chat.postMessage")) == ("fields", [])
    assert desk.use("post_message", text=said)["channel"] == "C-sales"
    (posted,) = slack.of("chat.postMessage")
    place, message = (each["value"] for each in shown.detail["fields"])
    assert (posted["channel"], message) == (place, said)
    # Nothing in it is a mention or a link of Slack's.
    assert "<" not in posted["text"]
    assert posted["text"].replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&") == message
    assert posted["unfurl_links"] is False
    desk.use("post_message", text="x", channel="C42")
    assert slack.of("chat.postMessage")[-1]["channel"] == "C42"


def test_channels_are_listed(desk: Desk, slack: Slack) -> None:
    channels = [{"id": "C1", "name": "sales", "purpose": {"value": "All"}, "num_members": 3}, "junk"]
    slack.instead["conversations.list"] = (200, {"ok": True, "channels": channels}, {})
    found = desk.use("list_channels")
    assert found["channels"] == [{"id": "C1", "name": "sales", "purpose": "All", "members": 3}]
    assert desk.judged("list_channels")[:2] == ("low", "read")


def test_posting_reaches_people(desk: Desk) -> None:
    level, operation, impact = desk.judged("post_message", text="x")
    assert (level, operation) == ("high", "send_message")
    assert impact.kinds == (ImpactKind.CANNOT_BE_UNDONE, ImpactKind.LEAVES_HOUSE, ImpactKind.REACHES_PEOPLE)
    assert not desk.tool("post_message").idempotent


@pytest.mark.parametrize("text", ["", "  ", "x" * 4_001, "<" * 1_100])
def test_a_message_that_cannot_be_posted_is_refused(desk: Desk, slack: Slack, text: str) -> None:
    with pytest.raises(ToolFailed):
        desk.use("post_message", text=text)
    with pytest.raises(NoPreview):
        desk.previewed("post_message", text=text)
    assert slack.calls == []


def test_without_a_channel_one_has_to_be_named(slack: Slack, tmp_path: Path) -> None:
    with pytest.raises(ToolFailed, match="Name the channel"):
        Desk(SlackKind(), {"api_url": slack.url}, tmp_path, bot_token=TOKEN).use("post_message", text="x")


def test_a_refusal_is_known_and_an_answer_that_stayed_out_is_not(desk: Desk, slack: Slack) -> None:
    for error in ("not_in_channel", "ratelimited"):
        slack.refuse("chat.postMessage", error)
        with pytest.raises(ToolFailed, match=error):
            desk.use("post_message", text="x")
    slack.refuse("chat.postMessage", "internal_error")
    with pytest.raises(ChannelError):
        desk.use("post_message", text="x")
    slack.instead["chat.postMessage"] = (503, f"down, {TOKEN}", {})
    with pytest.raises(ChannelError) as unknown:
        desk.use("post_message", text="x")
    assert TOKEN not in str(unknown.value)


def test_a_wrong_token_and_a_private_address_are_told(slack: Slack, tmp_path: Path) -> None:
    wrong = Desk(SlackKind(), {"api_url": slack.url}, tmp_path, bot_token="xoxb-wrong")
    assert "invalid_auth" in str(wrong.tested())
    far = Desk(SlackKind(), {"api_url": slack.url}, tmp_path, Settings(), bot_token=TOKEN)
    assert "SIGNOFF_CONNECTION_HOSTS=127.0.0.1" in str(far.tested())


def test_slack_itself_is_reached_only_where_the_installation_lets_tools_go(tmp_path: Path) -> None:
    desk = Desk(SlackKind(), {"channel": "#sales"}, tmp_path, Settings(egress=["example.org"]), bot_token=TOKEN)
    assert "SIGNOFF_EGRESS" in str(desk.tested())
    with pytest.raises(ToolFailed, match="SIGNOFF_EGRESS"):
        desk.use("post_message", text="hello")
