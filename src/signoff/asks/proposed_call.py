"""The call that an ask is about, read back as it was frozen when the ask was opened."""

from signoff.asks.models import Ask
from signoff.kit.jsons import JsonObject
from signoff.policy.call import ProposedCall


def read_proposed_call(ask: Ask, arguments: JsonObject) -> ProposedCall | None:
    """What policy saw, with these arguments; None where nothing was frozen, as on asks from before.

    Of the ask, a row with its columns `proposed_call`, `arguments_schema` and `call_ids` will do.
    """
    kept = ask.proposed_call
    return None if kept is None else ProposedCall.from_json(kept, arguments, _schema(ask))


def _schema(ask: Ask) -> JsonObject | None:
    """What the tool takes; a batch has it once for all its calls."""
    whole = ask.arguments_schema
    if whole is None or not ask.call_ids:
        return whole
    each: JsonObject = whole["properties"]["calls"]["items"]["anyOf"][0]
    return {**each, "$defs": whole["$defs"]} if "$defs" in whole else each
