"""What servers say that they have."""

from mcp_types import Tool

from signoff.tools.connections.mcp.listing import described


def test_a_tool_whose_name_cannot_be_shown_is_left_out_and_the_others_stay() -> None:
    names = ["look", "", "a\x00b", "\ud800", "tool\u202eslet", "x" * 10_000, "Straße 1"]
    listed = described("shop", [Tool(name=name, input_schema={"type": "object"}) for name in names], [])
    assert [each.remote_name for each in listed] == ["look", "Straße 1"]
