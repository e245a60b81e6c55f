"""The demo model: plays scripted agents through the real engine, so that a newcomer sees the product without a key.

It is a model like any other: it gets the conversation, streams text and proposes calls. What it says next follows
from how many replies it has given and from the results of its last calls.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

from pydantic_ai.messages import ModelMessage, ModelResponse, ToolReturnPart
from pydantic_ai.models import Model
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, DeltaToolCalls, FunctionModel

from signoff.engine.model.demo.scripts import ANSWER, SCRIPTS, DemoTurn, Past

# Slow enough to watch, fast enough not to wait.
WORD_SECONDS = 0.015


def demo_model(name: str) -> Model:
    """The scripted model with this name; an unknown name gets the script for any task."""
    script = SCRIPTS.get(name, SCRIPTS["assistant"])

    async def play(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str | DeltaToolCalls]:
        # Without tools somebody only asks about the work.
        said: DemoTurn = script(_past(messages)) if info.function_tools else ANSWER
        for word in said.text.split(" "):
            yield word + " "
            await asyncio.sleep(WORD_SECONDS)
        for index, (tool, arguments) in enumerate(said.calls):
            yield {index: DeltaToolCall(tool, json.dumps(arguments), tool_call_id=f"demo_{len(messages)}_{index}")}

    return FunctionModel(stream_function=play, model_name=f"demo:{name}")


@dataclass
class _Reading:
    replies: int = 0
    results: dict[str, tuple[str, bool]] = field(default_factory=dict[str, tuple[str, bool]])


def _past(messages: list[ModelMessage]) -> Past:
    """How far the conversation is, and how the last call of each tool ended."""
    reading = _Reading()
    for message in messages:
        if isinstance(message, ModelResponse):
            reading.replies += 1
        else:
            for part in message.parts:
                if isinstance(part, ToolReturnPart):
                    content: Any = part.content
                    reading.results[part.tool_name] = (str(content), part.outcome == "success")
    task = str(getattr(messages[0].parts[0], "content", "")) if messages and messages[0].parts else ""
    return Past(task, reading.replies, reading.results)
