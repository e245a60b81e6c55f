"""Workflows for tests: agents that say at once what they were given to say, and steps that use them."""

import json
from typing import Any

from tests.house import House
from tests.wire import Answering, call, says


def done(output: Any, summary: str = "done") -> dict[str, Any]:
    return says("", call("complete_task", {"summary": summary, "output": output}))


class Script:
    """Makes agents and workflows with names of their own, so that many tests share one house."""

    count = 0

    def __init__(self, house: House) -> None:
        self.house = house
        Script.count += 1
        self.number = Script.count

    def name(self, short: str) -> str:
        return f"{short}-{self.number}"

    def agent(self, short: str, output: Any = None, **fields: Any) -> str:
        """An agent that ends at once with this output."""
        return self.playing(short, lambda _request: done(output if output is not None else {short: "done"}), **fields)

    def playing(self, short: str, answering: Answering, *tools: str, **fields: Any) -> str:
        """An agent whose model is a function from its request."""
        return self.house.agent(self.name(short), self.house.model.play(self.name(short), answering), *tools, **fields)

    def echo(self, short: str = "echo") -> str:
        """An agent that hands over its input as it came."""
        return self.playing(short, lambda request: done(given(request)))

    def saying(self, short: str, *answers: dict[str, Any], **fields: Any) -> str:
        """An agent with these replies, in order."""
        return self.house.agent(self.name(short), self.house.model.script(self.name(short), *answers), **fields)

    def workflow(self, *steps: dict[str, Any], short: str = "flow", **fields: Any) -> str:
        slug = self.name(short)
        self.house.post("/api/workflows", {"slug": slug, "name": slug, "steps": list(steps), **fields}, 201)
        return slug

    def start(self, slug: str, given: dict[str, Any] | None = None) -> str:
        return self.house.post("/api/runs", {"workflow": slug, "input": given or {}}, 201)["id"]

    def ran(self, *steps: dict[str, Any], given: dict[str, Any] | None = None, **fields: Any) -> dict[str, Any]:
        """A workflow of these steps, run to its end."""
        return self.house.ended(self.start(self.workflow(*steps, **fields), given))

    def steps(self, run_id: str) -> dict[str, dict[str, Any]]:
        return {step["id"]: step for step in self.house.get(f"/api/runs/{run_id}/steps")["items"]}

    def states(self, run_id: str) -> dict[str, str]:
        return {name: step["status"] for name, step in self.steps(run_id).items()}

    def until_step(self, run_id: str, step: str, status: str) -> dict[str, Any]:
        """Wait until a step is in this state."""
        return self.house.until(lambda: found if (found := self.steps(run_id)[step])["status"] == status else None)

    def children(self, run_id: str) -> list[dict[str, Any]]:
        newest = self.house.get("/api/runs", limit=200)["items"]
        return [run for run in newest if run["parent_id"] == run_id]

    def asked(self, short: str) -> list[dict[str, Any]]:
        """What the model of an agent was requested."""
        return self.house.model.asked(self.name(short))


def given(request: dict[str, Any]) -> Any:
    """The input that a step's agent was told."""
    text = next(str(message["content"]) for message in request["messages"] if message["role"] == "user")
    return json.loads(text.partition("Input:\n")[2].partition("\n\nWhen you are done")[0])
