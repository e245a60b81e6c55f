"""Tools of a connection as the engine uses them, without a run around."""

import asyncio
from pathlib import Path
from typing import Any

from signoff.kit.settings import Settings
from signoff.policy.impact import Impact
from signoff.tools.connections.port import Connected, ConnectionKind
from signoff.tools.effects import Preview
from signoff.tools.egress import ANYWHERE, Reach
from signoff.tools.impact_statements import Statements
from signoff.tools.previews import make_preview
from signoff.tools.registry import Tool
from tests.tools.using import context

MEMBERS = frozenset({"ana@house.example", "bob@house.example"})
NEAR = Settings(allow_private_addresses=True)


class Desk:
    """One connection, with its tools."""

    def __init__(
        self, kind: ConnectionKind, settings: dict[str, Any], folder: Path, house: Settings = NEAR, **secrets: str
    ) -> None:
        assert kind.check(settings) == []
        self.kind, self.folder, self.house = kind, folder, house
        self.connected = Connected(
            "id", "w", "its", "Its name", settings, lambda: dict(secrets), members=lambda: MEMBERS
        )
        self.tools = {tool.name: tool for tool in kind.tools(self.connected)}

    def tool(self, name: str) -> Tool:
        return self.tools[f"its__{name}"]

    def use(self, name: str, *, reach: Reach = ANYWHERE, **arguments: Any) -> Any:
        assert self.tool(name).check(arguments) == []
        return asyncio.run(self.tool(name).run(context(self.folder, self.house, reach), arguments))

    def judged(self, name: str, **arguments: Any) -> tuple[str, str, Impact]:
        """The risk, the operation type and the impact of a call."""
        used = self.tool(name).used_for(arguments, ANYWHERE, Statements(self.folder))
        assert used.assessment.impact is not None
        return used.assessment.level.value, used.operation_type, used.assessment.impact

    def previewed(self, name: str, **arguments: Any) -> Preview:
        preview = self.tool(name).preview
        assert preview is not None
        return preview(context(self.folder, self.house), arguments)

    def shown(self, name: str, **arguments: Any) -> Any:
        """As it stands on an ask."""
        return make_preview(self.tool(name), context(self.folder, self.house), arguments)

    def tested(self) -> str | None:
        return self.kind.test(self.connected, self.house)
