"""What would take hours to happen, written into a server's database."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

from sqlalchemy import create_engine, insert, select, update
from sqlalchemy.orm import Session

from signoff.asks.likeness import likeness
from signoff.asks.models import Ask
from signoff.kit.clock import now
from signoff.kit.ids import new_id
from signoff.kit.jsons import digest
from signoff.runs.models import Call, Message, Run
from tests.e2e.conftest import Server

VERDICT = {"verdict": "allow", "reasons": ["read_file is declared low risk"], "rule": None, "risk": "low"}


def seed_messages(server: Server, run_id: str, count: int) -> None:
    """Make the transcript of an ended run long: messages of all lengths, every fifth with a call."""
    start = now() - timedelta(hours=1)
    messages = list[dict[str, object]]()
    calls = list[dict[str, object]]()
    for number in range(count):
        turn = 1000 + number
        at = start + timedelta(seconds=number)
        text = f"Message number {number}. " + "It goes on for a while. " * (number % 13)
        said = {"parts": [{"part_kind": "text", "content": text}]}
        message = {"id": new_id(), "run_id": run_id, "turn": turn, "role": "assistant", "response": said}
        messages.append(message | {"text": None, "call_id": None, "created_at": at})
        if number % 5 == 0:
            arguments = {"path": f"file-{number}.md"}
            call = {"run_id": run_id, "turn": turn, "position": 0, "tool": "read_file", "proposed_arguments": arguments}
            call |= {"id": new_id(), "tool_call_id": str(number), "verdict": VERDICT, "status": "succeeded"}
            calls.append(call | {"result": f"The text of file {number}", "created_at": at, "attempt": 1})
    with database(server.folder) as session:
        session.execute(insert(Message), messages)
        session.execute(insert(Call), calls)
        session.execute(update(Run).where(Run.id == run_id).values(title="A long day"))


def seed_withdrawn_asks(server: Server, ask_id: str, count: int) -> None:
    """Give a run a long past: many asks like this one, all withdrawn."""
    with database(server.folder) as session:
        like = dict(session.execute(select(Ask.__table__).where(Ask.id == ask_id)).mappings().one())
        session.execute(insert(Ask), [like | {"id": new_id(), "status": "cancelled"} for _ in range(count)])


@contextmanager
def database(folder: Path) -> Iterator[Session]:
    """The database of a server that runs."""
    engine = create_engine(f"sqlite:///{folder / 'data' / 'signoff.db'}", connect_args={"timeout": 30})
    with Session(engine) as session, session.begin():
        yield session
    engine.dispose()


def seed_refunds(server: Server, ask_id: str, agents: int, each: int, large: dict[int, int]) -> None:
    """Many refunds that wait, like this ask of any kind; so many of each agent's are large. None belongs to a run."""
    columns = Ask.__table__.columns.keys()
    with database(server.folder) as session:
        like = dict(session.execute(select(Ask.__table__).where(Ask.id == ask_id)).mappings().one())
        like |= dict.fromkeys(("run_id", "call_id", "arguments_schema", "proposed_call", "headline", "reasoning"))
        rows = list[dict[str, object]]()
        for agent in range(agents):
            for number in range(each):
                amount = 5000 + number if number % 7 == 3 and number // 7 < large.get(agent, 0) else 10 + number
                order = f"A-{agent}-{number}"
                arguments = {"shop": "main", "order_id": order, "amount": amount, "reason": "Arrived late"}
                row = like | {"id": new_id(), "agent": f"refunds-{agent}", "agent_name": f"Refunds {agent}"}
                row |= {"tool": "refund", "title": f"Refund {order}", "arguments": arguments}
                row["digest"] = digest(arguments)
                row["likeness"] = likeness(Ask(**{name: row[name] for name in columns}))
                rows.append(row)
        session.execute(insert(Ask), rows)


def change_ask(server: Server, title: str) -> None:
    """Somebody changed what an ask is about, and no page has heard of it yet."""
    with database(server.folder) as session:
        ask = session.scalars(select(Ask).where(Ask.title == title, Ask.status == "pending")).one()
        ask.arguments = (ask.arguments or {}) | {"amount": 4711}
        ask.digest = digest(ask.arguments)
