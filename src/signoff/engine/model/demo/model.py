"""The demo model: plays scripted agents through the real engine, so that a newcomer sees the product without a key.

It is a model like any other: it gets the conversation, streams text and proposes calls. What it says next follows
from the task, from the tools that it has, and from what became of its calls.
"""

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator
from typing import Any

from pydantic_ai.messages import ModelMessage, ModelResponse, ToolCallPart, ToolReturnPart, UserPromptPart
from pydantic_ai.models import Model
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, DeltaToolCalls, FunctionModel

from signoff.engine.model.demo.scripts import play
from signoff.engine.model.demo.turns import Past

# Slow enough to watch, fast enough not to wait.
WORD_SECONDS = 0.015
NOTE = "[Note from Signoff]"


def demo_model(name: str) -> Model:
    """The scripted model with this name; an unknown name gets the script for any task."""

    async def reply(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str | DeltaToolCalls]:
        said = play(name, _past(messages, frozenset(tool.name for tool in info.function_tools)))
        for word in said.text.split(" "):
            yield word + " "
            await asyncio.sleep(WORD_SECONDS)
        for index, (tool, arguments) in enumerate(said.calls):
            yield {index: DeltaToolCall(tool, json.dumps(arguments), tool_call_id=f"demo_{len(messages)}_{index}")}

    return FunctionModel(stream_function=reply, model_name=f"demo:{name}")


def _past(messages: list[ModelMessage], tools: frozenset[str]) -> Past:
    """The task, how often each tool was called, and how its last call ended."""
    calls, results, said = Counter[str](), dict[str, tuple[str, bool]](), list[str]()
    for message in messages:
        if isinstance(message, ModelResponse):
            calls.update(part.tool_name for part in message.parts if isinstance(part, ToolCallPart))
            continue
        for part in message.parts:
            content: Any = getattr(part, "content", "")
            if isinstance(part, ToolReturnPart):
                results[part.tool_name] = (str(content), part.outcome == "success")
            elif isinstance(part, UserPromptPart) and not str(content).startswith(NOTE):
                said.append(str(content))
    return Past(said[0] if said else "", tools, calls, results)
