"""`python -m bench [--quick] [--on DATABASE] [--only NAME,NAME]`: measure, print the table, keep it in results.md."""

import argparse
import logging
import tempfile
import time
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

import psycopg

from bench.figures import FIGURES
from bench.measure import FULL, QUICK, machine
from bench.stage import Place
from bench.table import Table
from tests.postgres import postgres

RESULTS = Path(__file__).with_name("results.md")
FOREWORD = """\
# Figures

Made by `make bench` on {date}. {machine}

Medians unless said otherwise; PostgreSQL on loopback with its default durability, SQLite in WAL. *floor* is a bare
committed insert by the driver, *peer* is LangGraph with its own checkpointer and `durability="sync"`, without inbox,
audit or policy. For times, less than 1 in *ours/peer* is better; for figures per second, more than 1. Checkpoints and
steps of ours, floor and peer are taken in turns; the other figures one after the other, so a load that changes
meanwhile falls on one side only: compare the machine's load above with its cores before believing them. One figure
alone, quickly: `.venv-bench/bin/python -m bench --quick --only step,checkpoint --on sqlite`.

{table}
"""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    known = {figure.__name__: figure for figure in FIGURES}
    parser.add_argument("--quick", action="store_true", help="a small version; results.md stays as it is")
    parser.add_argument("--on", choices=["sqlite", "postgresql"], help="only this database")
    parser.add_argument("--only", default="", help=f"only these; results.md stays as it is: {','.join(known)}")
    given = parser.parse_args()
    names = given.only.split(",") if given.only else list(known)
    if unknown := set(names) - known.keys():
        parser.error(f"there is no {', '.join(unknown)}; there are {', '.join(known)}")
    logging.disable(logging.WARNING)
    table, begin = Table(), time.monotonic()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="signoff-bench-")))
        places, version = [Place("sqlite", folder)] if given.on != "postgresql" else [], "not used"
        if given.on != "sqlite":
            server = stack.enter_context(postgres())
            with psycopg.connect(server) as connection:
                version = str(connection.info.parameter_status("server_version")).split()[0]
            places.append(Place("postgresql", folder, server))
        facts = machine(version)
        for place in places:
            for name in names:
                table.add(*known[name](place, QUICK if given.quick else FULL))
                print(f"{time.monotonic() - begin:4.0f} s  {place.db}: {name}", flush=True)
    print("\n" + "\n".join(facts) + "\n\n" + table.text())
    print(f"\n{time.monotonic() - begin:.0f} seconds in all")
    if not (given.only or given.on or given.quick):
        date = f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC"
        text = FOREWORD.format(date=date, machine="; ".join(facts) + ".", table=table.markdown())
        RESULTS.write_text(text)


if __name__ == "__main__":
    main()
