"""Saying something about an ask."""

from typing import Annotated

import typer

from signoff.cli.api_client import Api, path
from signoff.cli.commands.server_command import AsJson, server_command
from signoff.cli.terminal import screen
from signoff.cli.terminal.screen import hint, say
from signoff.kit.jsons import JsonObject


@server_command
def comment(
    api: Api,
    ask_id: Annotated[str, typer.Argument(metavar="ASK_ID", help="The ask's id; `signoff inbox --list` shows it.")],
    text: Annotated[str, typer.Argument(help="Your comment; @email or @name notifies a colleague.")],
    to_agent: Annotated[
        bool, typer.Option("--to-agent", help="Ask the agent. It answers in the conversation and decides nothing.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Comment on an ask, or ask its agent a question, without deciding.

    Example: signoff comment 0198… "Why this file?" --to-agent
    """
    said: JsonObject = api.post(path("asks", ask_id, "comments"), {"text": text, "to_agent": to_agent})
    if as_json:
        return screen.show_json(said)
    if not to_agent:
        return say("Comment added.")
    say("Asked. The agent reads its transcript and answers in the conversation.")
    return hint("To see it:", f"signoff answer {ask_id}")
