"""One aligned table: what, on which database, ours, the floor, the peer, and the ratios."""

from dataclasses import dataclass, field

HEADINGS = ("what", "db", "ours", "goal", "floor", "peer", "ours/floor", "ours/peer", "note")


def number(value: float) -> str:
    if value >= 1_000:
        return f"{value:,.0f}"
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


@dataclass(frozen=True)
class Row:
    what: str
    db: str
    unit: str
    ours: float | None
    goal: str = ""
    floor: float | None = None
    peer: float | None = None
    note: str = ""

    @property
    def cells(self) -> tuple[str, ...]:
        return (
            self.what,
            self.db,
            self._with_unit(self.ours),
            self.goal,
            self._with_unit(self.floor),
            self._with_unit(self.peer),
            self._ratio(self.floor),
            self._ratio(self.peer),
            self.note,
        )

    def _with_unit(self, value: float | None) -> str:
        return "" if value is None else f"{number(value)} {self.unit}".strip()

    def _ratio(self, other: float | None) -> str:
        return f"{self.ours / other:.2f}" if self.ours is not None and other else ""


@dataclass
class Table:
    rows: list[Row] = field(default_factory=list)

    def add(self, *rows: Row) -> None:
        self.rows += rows

    def paired(self) -> list[Row]:
        """Both databases of a figure next to each other, in the order in which figures first came."""
        order = list(dict.fromkeys(row.what for row in self.rows))
        return sorted(self.rows, key=lambda row: order.index(row.what))

    def text(self) -> str:
        lines = [HEADINGS, *(row.cells for row in self.paired())]
        widths = [max(len(line[column]) for line in lines) for column in range(len(HEADINGS))]
        padded = ["  ".join(_pad(cell, widths[at], at) for at, cell in enumerate(line)).rstrip() for line in lines]
        return "\n".join([padded[0], "  ".join("─" * width for width in widths), *padded[1:]])

    def markdown(self) -> str:
        rule = ["---", "---", *["---:"] * 6, "---"]
        lines = [HEADINGS, rule, *(row.cells for row in self.paired())]
        return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _pad(cell: str, width: int, column: int) -> str:
    return cell.rjust(width) if 2 <= column <= 7 else cell.ljust(width)
