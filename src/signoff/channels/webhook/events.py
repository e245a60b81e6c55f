"""What webhooks are told of: every declared event is either here, or here is why not."""

from signoff.asks import events as asks
from signoff.deliverables.events import DELIVERABLE_CREATED
from signoff.notifications.events import NOTIFICATION_CREATED
from signoff.rules.events import RULES_CHANGED
from signoff.runs import events as runs
from signoff.runs.pause_all.events import PAUSE_ALL_CHANGED

# Without a word about it: what somebody has to do something about.
USUAL = tuple(
    each.name
    for each in (
        *(asks.ASK_CREATED, asks.ASK_UPDATED, asks.ASK_SETTLED),
        *(runs.RUN_ENDED, DELIVERABLE_CREATED, runs.LIMIT_WARNING),
    )
)
EVENTS = (
    *USUAL,
    *(
        each.name
        for each in (
            *(runs.RUN_CREATED, runs.RUN_STATUS, runs.RUN_PROGRESS, runs.RUN_STEP, runs.RUN_MESSAGE),
            *(runs.CALL_STARTED, runs.CALL_FINISHED, NOTIFICATION_CREATED),
        )
    ),
)
# Who looks at an ask, a text as it grows and how far a call has come are over before a webhook could be called; the
# others tell open pages to read something again.
NOT_FOR_WEBHOOKS = tuple(
    each.name for each in (asks.ASK_VIEWING, runs.RUN_DELTA, runs.CALL_PROGRESS, RULES_CHANGED, PAUSE_ALL_CHANGED)
)
