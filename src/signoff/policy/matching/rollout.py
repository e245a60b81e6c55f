"""Which part of the calls a rule already decides: stable for a call, and growing by date."""

import hashlib
from dataclasses import dataclass
from datetime import datetime

_ALL = 1 << 64


@dataclass(frozen=True, slots=True)
class Rollout:
    """A percentage, or one that grows evenly between two moments."""

    start: float
    target: float
    begin: datetime | None = None
    end: datetime | None = None

    def includes(self, rule: str, key: str, at: datetime | None) -> bool:
        """Whether this call is in. A call that is in stays in while the percentage grows."""
        percentage = self.percentage(at)
        return percentage is not None and share(rule, key) < percentage

    def percentage(self, at: datetime | None) -> float | None:
        """How much is in at a moment; a growing one is not known without a moment."""
        if self.begin is None or self.end is None:
            return self.target
        if at is None or at.tzinfo is None:
            return None
        grown = (at - self.begin) / (self.end - self.begin)
        return self.start + (self.target - self.start) * min(max(grown, 0.0), 1.0)


def share(rule: str, key: str) -> float:
    """Where a call stands among all calls of a rule: 0 ≤ share < 100, evenly spread."""
    mark = hashlib.sha256(f"{rule}\0{key}".encode(errors="replace")).digest()
    # 53 bits fit a float exactly, so that nothing rounds up to 100.
    return (int.from_bytes(mark[:8]) >> 11) * 100 / (_ALL >> 11)
