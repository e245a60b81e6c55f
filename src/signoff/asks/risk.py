"""How risky an ask is and what it would do, on its row and in the order of what waits."""

from signoff.asks.models import Ask
from signoff.policy.impact import Impact, order, why_critical
from signoff.policy.risk import Assessment, Risk


def impact_on(ask: Ask) -> Impact | None:
    return Impact.from_json(ask.impact) if ask.impact else None


def set_order(ask: Ask) -> None:
    """Where an ask stands among those that wait: the highest risk first, and there the gravest impact."""
    ask.risk_order = Risk.CRITICAL.rank - (Risk(ask.risk_level).rank if ask.risk_level else 0)
    ask.impact_order = order(impact_on(ask))


def set_risk(ask: Ask, found: Assessment) -> None:
    """What other arguments make of an ask's risk and impact."""
    before, after = why_critical(impact_on(ask)), why_critical(found.impact)
    ask.risk_level, ask.impact = found.level.value, found.impact.to_json() if found.impact else None
    reasons = [each for each in ask.risk_reasons if each != before]
    ask.risk_reasons = [*reasons, after] if after in found.reasons else reasons
    set_order(ask)
