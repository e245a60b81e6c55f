"""One question over three systems: a database, an HTTP API and an MCP server. Reading is free, writing is asked for.

python examples/customer_360/main.py
"""

import os
import sqlite3
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from crm import CUSTOMERS, TOKEN, running_crm  # noqa: E402
from running_signoff import Signoff, running_signoff  # noqa: E402
from scripted_model import call, scripted_model  # noqa: E402

INVOICES = """
CREATE TABLE customers (id integer PRIMARY KEY, name text, email text, credit numeric);
CREATE TABLE invoices (number integer PRIMARY KEY, customer integer, amount numeric, paid numeric);
INSERT INTO customers VALUES (7, 'Ada', 'ada@engines.example', 0), (8, 'Eve', 'eve@away.example', 0);
INSERT INTO invoices VALUES (2041, 7, 300, 300), (2042, 7, 120, 240), (2043, 8, 50, 0);
"""
WHO = """
SELECT c.id, c.email, i.number, i.amount, i.paid FROM customers AS c JOIN invoices AS i ON i.customer = c.id
WHERE c.name = 'Ada'
"""
CREDIT = "UPDATE customers SET credit = 120 WHERE id = 7"
REPORT = """# Ada, as all of our systems know her

Invoice 2042 was paid twice: 240 for 120 [1]. She has told us so [3], and her contract ends on 2027-01-31 [2], so this
should be settled before Bob calls her about it.

[1] shop: customers, invoices
[2] crm: /customers/7
[3] tickets: #311
"""


def connect(signoff: Signoff, crm: str) -> None:
    """Three systems, each with what it needs. The MCP server's tool counts as risky until somebody has reviewed it."""
    signoff.post("/api/connections", slug="shop", kind="database", settings={"url": "sqlite:///shop.db"})
    api = {"base_url": crm, "auth": "bearer"}
    signoff.post("/api/connections", slug="crm", kind="http", settings=api, secrets={"token": TOKEN})
    server = {"transport": "stdio", "command": sys.executable, "args": [str(HERE / "tickets.py")]}
    signoff.post("/api/connections", slug="tickets", kind="mcp", settings=server)
    for slug in ("shop", "crm", "tickets"):
        tried = signoff.post(f"/api/connections/{slug}/test")
        print(f"{slug}: {'reached' if tried['ok'] else tried['error']}")
    signoff.post("/api/connections/tickets/tools/find_tickets/review", reviewed=True, risk="low")


with (
    tempfile.TemporaryDirectory(prefix="signoff-example-") as folder,
    running_crm() as crm,
    scripted_model(
        call("shop__query", sql=WHO) + call("crm__get", path="/customers/7"),
        call("tickets__find_tickets", email="ada@engines.example"),
        call("create_deliverable", name="Ada", type="markdown", content=REPORT, description="With sources"),
        call("shop__execute", sql=CREDIT),
        call("crm__send", method="POST", path="/customers/7/notes", json={"text": "Credit of 120 for 2042"}),
        call("complete_task", summary="Invoice 2042 was paid twice. Ada has a credit of 120."),
    ) as model,
):
    shop = sqlite3.connect(Path(folder) / "shop.db")
    shop.executescript(INVOICES)
    # What connections may reach on this machine, whoever runs the server says.
    os.environ |= {"SIGNOFF_CONNECTION_FILES": folder, "SIGNOFF_CONNECTION_HOSTS": "127.0.0.1"}
    with running_signoff(model) as signoff:
        connect(signoff, crm)
        run = signoff.start("What is going on with Ada?", tools=["shop__*", "crm__*", "tickets__*"])

        # Both writes wait, and show what they would do.
        for _ in range(2):
            ask = signoff.next_ask(run)
            print(f"\nAsks: {ask['title']}\n  {ask['preview']['summary']}")
            signoff.approve(ask)
            signoff.finished(run, next(each["id"] for each in signoff.calls(run) if each["ask_id"] == ask["id"]))

        ended = signoff.ended(run)
        free = [each["tool"] for each in signoff.calls(run) if "__" in each["tool"] and not each["ask_id"]]
        print(f"\nBy itself: {', '.join(free)}\n")
        report = signoff.get("/api/deliverables", run=run)["items"][0]
        print(signoff.http.get(f"/api/deliverables/{report['id']}/content").text)
        print("The shop:", shop.execute("SELECT name, credit FROM customers ORDER BY id").fetchall())
        print("The crm:", CUSTOMERS["7"]["notes"])
        print(f"The run is {ended['status']}: {ended['output']['summary']}")
    shop.close()
