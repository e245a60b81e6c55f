"""Every table of the product, for Alembic to compare with."""

from signoff.asks.models import Ask
from signoff.audit.models import AuditEntry
from signoff.catalog.models import Agent, AgentRevision
from signoff.deliverables.models import Deliverable
from signoff.kit.events import Event, Head
from signoff.kit.idempotency import SpentKey
from signoff.notifications.models import Notification
from signoff.runs.models import Call, Message, Run
from signoff.workspaces.models import Credential, Member, User, Workspace

TABLES = (
    Agent,
    AgentRevision,
    Ask,
    AuditEntry,
    Call,
    Credential,
    Deliverable,
    Event,
    Head,
    Member,
    Message,
    Notification,
    Run,
    SpentKey,
    User,
    Workspace,
)
