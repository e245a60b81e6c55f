"""What connections cost the database."""

from sqlalchemy import event
from sqlalchemy.orm import Session

from signoff.connections.queries import granted
from tests.connections.connecting import connect
from tests.contract.scenes import agent_that
from tests.house import House


def test_what_a_run_may_use_is_read_in_two_statements_and_once_known_in_one(house: House, web_server: str) -> None:
    slugs = [connect(house, {"transport": "http", "url": web_server}) for _ in range(3)]
    run_id = house.start(agent_that(house), connections=slugs)
    house.ended(run_id)
    tools, db = house.parts.context.connections, house.parts.db

    def read(session: Session) -> tuple[int, int]:
        told = list[str]()
        event.listen(session.connection(), "before_cursor_execute", lambda *given: told.append(given[2]))
        found = tools.of(session, granted(session, run_id))
        return len(found), len(told)

    tools._kept.clear()
    counts = [db.read(read) for _ in range(2)]
    assert counts[0][0] == counts[1][0] > 30
    # The grants are read by the driver itself: what SQLAlchemy sees is the list of tools, once for all connections.
    assert [count for _, count in counts] == [1, 0]


def test_a_run_that_goes_on_from_another_has_what_that_one_had(house: House, web_server: str) -> None:
    slug = connect(house, {"transport": "http", "url": web_server})
    run_id = house.start(agent_that(house), connections=[{"connection": slug, "tools": ["echo"]}])
    house.ended(run_id)
    again = house.post(f"/api/runs/{run_id}/continue", {"instructions": "more"}, 201)["id"]
    assert [(each["slug"], each["tools"]) for each in house.get(f"/api/runs/{again}/connections")["items"]] == [
        (slug, ["echo"])
    ]
