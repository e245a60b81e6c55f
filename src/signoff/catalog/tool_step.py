"""A tool that is a workflow's step by itself: it works like an agent that knows nothing else."""

from functools import lru_cache

from signoff.catalog.schemas import AgentDefinition

# How it is called where others have an agent's name. No agent can have it: it is no slug.
TOOL_STEP = "(workflow)"


@lru_cache(maxsize=256)
def tool_step(tool: str) -> AgentDefinition:
    """The agent that a step with one tool has. No model is ever requested for it."""
    return AgentDefinition(name=tool, model="none:none", tools=[tool])
