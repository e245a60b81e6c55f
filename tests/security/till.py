"""A tool that pays, with a ledger outside of the product that counts what really happened."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from signoff.tools.registry import ToolFailed, tool
from tests.house import House
from tests.wire import call

PATIENCE = 30.0
# What `pay` costs, in credits.
FEE = 2.5


@dataclass
class Till:
    """Pays at once, unless told to wait, to fail, or to do something first."""

    paid: list[str] = field(default_factory=list[str])
    begun: list[str] = field(default_factory=list[str])
    gates: dict[str, threading.Event] = field(default_factory=dict[str, threading.Event])
    # Runs inside the tool, before the money goes: a known failure, an unknown one, or a change in the outside world.
    first: dict[str, Callable[[], object]] = field(default_factory=dict[str, Callable[[], object]])

    def __call__(self, to: str) -> str:
        self.begun.append(to)
        if to in self.gates:
            self.gates[to].wait(PATIENCE)
        if to in self.first:
            self.first.pop(to)()
        self.paid.append(to)
        return f"paid {to}"

    def times(self, to: str) -> int:
        """How often somebody was paid. Payments of other tests may still come in."""
        return self.paid.count(to)

    def holds(self, to: str) -> threading.Event:
        """Let this payment hang until the gate is opened."""
        self.gates[to] = threading.Event()
        return self.gates[to]

    def fails(self, to: str, error: Exception | None = None) -> None:
        """Let this payment fail once."""

        def fail() -> None:
            raise error or ToolFailed("the bank said no")

        self.first[to] = fail


def a_till(house: House) -> Till:
    """Gives the house's agents two ways to pay: `pay`, and `pay_again` that counts as idempotent."""
    till = Till()

    def pay(to: str) -> str:
        """Pay somebody."""
        return till(to)

    register = house.parts.context.registry.register
    register(tool(operation_type="financial_transaction", risk="high", estimated_cost_credits=FEE)(pay))
    register(tool(name="pay_again", idempotent=True, operation_type="financial_transaction", risk="high")(pay))
    return till


def pay(to: str, name: str = "pay") -> dict[str, Any]:
    return call(name, {"to": to}, f"pay_{to}")


def statuses(house: House, run: str) -> dict[str, str]:
    """How the payments of a run stand, by whom they go to."""
    return {each["arguments"]["to"]: each["status"] for each in house.calls(run) if each["tool"].startswith("pay")}


def waits_for(house: House, run: str, kind: str) -> dict[str, Any]:
    """Wait for the run's open ask of this kind."""
    return house.until(lambda: next((ask for ask in house.asks(run) if ask["kind"] == kind), None))
