"""Effects before they happen, and taken back afterwards: a person sees the diff, approves it, and changes their mind.

python examples/preview_and_undo.py
"""

from running_signoff import running_signoff
from scripted_model import call, scripted_model

PRICES = "tea 3.00\ncoffee 3.50\ncake 4.00\n"
FILE = "input/prices.txt"

with (
    scripted_model(call("write_file", path=FILE, content=PRICES.replace("3.50", "4.50"))) as model,
    running_signoff(model) as signoff,
):

    def prices(run: str) -> str:
        return signoff.http.get(f"/api/runs/{run}/files/content", params={"path": FILE}).text

    given = signoff.upload("prices.txt", PRICES)
    run = signoff.start("Coffee costs one more from now on.", tools=["read_file", "write_file"], files=[given])

    ask = signoff.next_ask(run)
    print(f"Waiting for a person: {ask['title']}")
    print(f"It would change this, and {'can' if ask['reversible'] else 'cannot'} be undone:\n")
    print(ask["preview"]["detail"]["diff"])

    signoff.approve(ask)
    signoff.ended(run)
    print(f"\nApproved. Now the file says:\n\n{prices(run)}")

    # To undo is a call of its own: your rules judge it, and it is on the record.
    written = signoff.calls(run)[0]
    undone = signoff.post(f"/api/runs/{run}/calls/{written['id']}/undo")
    signoff.finished(run, undone["id"])
    print(f"Undone. Now the file says:\n\n{prices(run)}")
