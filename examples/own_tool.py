"""A tool of your own, in a file. The agent proposes a refund; a person sees it, lowers it and approves.

python examples/own_tool.py
"""

from pathlib import Path

from running_signoff import running_signoff
from scripted_model import call, scripted_model

TOOL = Path(__file__).parent / "tools" / "refund_order.py"

with (
    scripted_model(
        call("refund_order", order="A-17", amount=80, why="The lamp arrived broken", _reasoning="Our terms say so."),
    ) as model,
    running_signoff(model, TOOL) as signoff,
):
    tool = next(each for each in signoff.get("/api/tools")["items"] if each["name"] == "refund_order")
    print(f"Loaded: {tool['name']} ({tool['risk']} risk): {tool['description']}")

    run = signoff.start("Ada's lamp from order A-17 arrived broken. Make it good.", tools=["refund_order"])

    ask = signoff.next_ask(run)
    print(f"\nWaiting for a person: {ask['title']}")
    print(f"  Why:      {ask['reasoning']}")
    print(f"  Impact:   {ask['impact']['text']}")
    print(f"  Preview:  {ask['preview']['summary']}")

    # The person finds 80 too much. What was changed is what runs, and the agent is told.
    signoff.approve(ask, arguments={**ask["arguments"], "amount": 40}, note="Half: it still gives light.")
    print("\nApproved with 40 instead of 80.")

    ended = signoff.ended(run)
    print(f"Ran: {signoff.calls(run)[0]['result']}")
    print(f"The run is {ended['status']}.")
