"""An MCP server of your own, connected: what somebody reviewed runs by itself, everything else asks.

python examples/own_mcp_server.py
"""

import sys
from pathlib import Path

from running_signoff import running_signoff
from scripted_model import call, scripted_model

SERVER = Path(__file__).parent / "mcp_servers" / "warehouse.py"

with (
    scripted_model(
        call("warehouse__count", item="lamp"),
        call("warehouse__order", item="lamp", number=20, _reasoning="Three lamps last two days."),
    ) as model,
    running_signoff(model) as signoff,
):
    # A command runs on the server, so only an installation admin may connect one.
    settings = {"transport": "stdio", "command": sys.executable, "args": [str(SERVER)]}
    signoff.post("/api/connections", slug="warehouse", kind="mcp", settings=settings)
    print(f"Connected: {signoff.post('/api/connections/warehouse/test')['ok']}")

    # What a server says of its tools counts only once a person has looked at them.
    signoff.post("/api/connections/warehouse/tools/count/review", reviewed=True)
    for tool in signoff.get("/api/connections/warehouse/tools")["items"]:
        print(f"  {tool['name']}: {tool['risk']} risk, {'reviewed' if tool['reviewed'] else 'nobody reviewed it'}")

    run = signoff.start("Do we have enough lamps?", tools=["warehouse__*"])

    ask = signoff.next_ask(run)
    counted = signoff.calls(run)[0]
    print(f"\nRan by itself: {counted['tool']} → {counted['result']}")
    print(f"Waiting for a person: {ask['tool']} {ask['arguments']}")
    print(f"  Why:   {ask['reasoning']}")
    print(f"  Risk:  {ask['risk']['level']}: {'; '.join(ask['risk']['reasons'])}")

    signoff.approve(ask, arguments={"item": "lamp", "number": 10})
    ended = signoff.ended(run)
    print(f"\nApproved with 10 instead of 20: {signoff.calls(run)[1]['result']}")
    print(f"The run is {ended['status']}.")
