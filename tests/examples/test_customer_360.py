"""One question over three connections: read freely, joined with sources, and written only after somebody said yes."""

import subprocess
import sys
from pathlib import Path

EXAMPLE = Path(__file__).parents[2] / "examples" / "customer_360" / "main.py"
SHOWN = [
    "shop: reached",
    "crm: reached",
    "tickets: reached",
    "Changes 1 row of customers",
    "POST 127.0.0.1/v1/customers/7/notes",
    "By itself: shop__query, crm__get, tickets__find_tickets",
    "[3] tickets: #311",
    "[('Ada', 120), ('Eve', 0)]",
    "The crm: ['Asked for a quote', 'Credit of 120 for 2042']",
    "The run is completed: Invoice 2042 was paid twice.",
]


def test_customer_360_shows_what_it_promises(tmp_path: Path) -> None:
    ran = subprocess.run([sys.executable, EXAMPLE], cwd=tmp_path, capture_output=True, text=True, timeout=100)
    assert ran.returncode == 0, ran.stderr
    assert [words for words in SHOWN if words not in ran.stdout] == [], ran.stdout
    assert list(tmp_path.iterdir()) == []
