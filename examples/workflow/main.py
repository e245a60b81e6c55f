"""A workflow from a file: an agent estimates, a person lowers the amount, and the next step works with that.

python examples/workflow/main.py
"""

import sys
from pathlib import Path

FOLDER = Path(__file__).parent
sys.path.insert(0, str(FOLDER.parent))

from running_signoff import running_signoff  # noqa: E402
from scripted_model import call, scripted_model  # noqa: E402

CLAIM = "The storm broke two windows."
ESTIMATE = {"amount": 900, "why": "Two windows, at 450 each."}

with (
    scripted_model(call("complete_task", summary="I estimated the damage.", output=ESTIMATE)) as model,
    running_signoff(model) as signoff,
):
    signoff.post("/api/agents", slug="adjuster", name="Adjuster", model="openai-chat:scripted")
    signoff.post("/api/workflows", yaml=(FOLDER / "claim.yaml").read_text())
    run = signoff.post("/api/workflows/claim/execute", input={"text": CLAIM})["id"]

    checkpoint = signoff.next_ask(run)
    print(f"Waiting for a person: {checkpoint['title']} {checkpoint['arguments']}")
    signoff.approve(checkpoint, arguments=checkpoint["arguments"] | {"amount": 700})
    print("Approved with 700 instead of 900.")

    # Writing a file is of high risk, so the second step's call asks as any call does.
    ask = signoff.next_ask(signoff.begun(run, "tell"))
    print(f"To be written: {ask['arguments']['content']}")
    signoff.approve(ask)

    ended = signoff.ended(run)
    print(f"The run is {ended['status']}: {ended['progress']['message']}.")
