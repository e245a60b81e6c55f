"""Every table of the product, for Alembic to compare with."""

from signoff.asks.comments.models import Comment
from signoff.asks.inbox.models import AskPart
from signoff.asks.models import Ask
from signoff.audit.models import AuditEntry
from signoff.catalog.models import Agent, AgentRevision
from signoff.deliverables.models import Deliverable
from signoff.kit.db.events import Event, Head
from signoff.kit.db.idempotency import SpentKey
from signoff.lessons.models import Lesson, ToldLesson
from signoff.notifications.models import Notification, NotificationAddressee, NotificationMark, NotificationRead
from signoff.rules.models import Allowance, PolicyRow, RuleProposal, RuleVersion
from signoff.runs.models import Call, Message, Run, RunWait
from signoff.workspaces.delegations.models import Delegation
from signoff.workspaces.models import Address, Credential, Group, GroupMember, Member, User, Workspace

TABLES = (
    Address,
    Agent,
    AgentRevision,
    Allowance,
    Ask,
    AskPart,
    AuditEntry,
    Call,
    Comment,
    Credential,
    Delegation,
    Deliverable,
    Event,
    Group,
    GroupMember,
    Head,
    Lesson,
    Member,
    Message,
    Notification,
    NotificationAddressee,
    NotificationMark,
    NotificationRead,
    PolicyRow,
    RuleProposal,
    RuleVersion,
    Run,
    RunWait,
    SpentKey,
    ToldLesson,
    User,
    Workspace,
)
