"""Short ways to say what happens with connections."""

from typing import Any

from signoff.kit.ids import new_id
from tests.house import House


def connect(house: House, settings: dict[str, Any], slug: str | None = None, **fields: Any) -> str:
    """A new connection with an MCP server that was reached once; returns its slug."""
    slug = slug or f"c{new_id()[-8:]}"
    house.post("/api/connections", {"slug": slug, "kind": "mcp", "settings": settings, **fields}, 201)
    tried = house.post(f"/api/connections/{slug}/test")
    assert tried["ok"], tried
    return slug


def tools_of(house: House, slug: str) -> dict[str, dict[str, Any]]:
    return {each["name"]: each for each in house.get(f"/api/connections/{slug}/tools")["items"]}


def review(house: House, slug: str, *names: str, **fields: Any) -> None:
    for name in names:
        house.post(f"/api/connections/{slug}/tools/{name}/review", {"reviewed": True, **fields})


def last_call(house: House, run_id: str, tool: str) -> dict[str, Any]:
    return [each for each in house.calls(run_id) if each["tool"] == tool][-1]
