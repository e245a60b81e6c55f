"""Every table of the product, for Alembic to compare with."""

from signoff.asks.comments.models import Comment
from signoff.asks.effects.models import Attendance
from signoff.asks.inbox.models import AskPart
from signoff.asks.models import Ask
from signoff.audit.models import AuditEntry
from signoff.catalog.models import Agent, AgentRevision
from signoff.channels.answer_links.models import AnswerLink
from signoff.channels.models import Channel, ChannelAccount, Delivery, DeliveryAttempt
from signoff.channels.push.models import PushSubscription
from signoff.connections.models import Connection, ConnectionGrant, ConnectionTool
from signoff.deliverables.models import Deliverable
from signoff.files.models import Upload
from signoff.kit.db.events import Event, Head
from signoff.kit.db.idempotency import SpentKey
from signoff.knowledge.models import Document, Passage
from signoff.lessons.models import Lesson, ToldLesson
from signoff.memory.models import MemoryNote
from signoff.notifications.models import Notification, NotificationAddressee, NotificationMark, NotificationRead
from signoff.rules.models import Allowance, PolicyRow, RuleProposal, RuleVersion
from signoff.runs.hooks.models import WorkflowHook
from signoff.runs.models import Call, Message, Run, RunWait
from signoff.runs.workflow.models import RunStep
from signoff.schedules.models import Schedule
from signoff.secrets.models import Secret
from signoff.workflows.models import Workflow, WorkflowRevision
from signoff.workspaces.delegations.models import Delegation
from signoff.workspaces.models import Address, Credential, Group, GroupMember, Member, User, Workspace

TABLES = (
    Address,
    Agent,
    AgentRevision,
    Allowance,
    AnswerLink,
    Ask,
    AskPart,
    Attendance,
    AuditEntry,
    Call,
    Channel,
    ChannelAccount,
    Comment,
    Connection,
    ConnectionGrant,
    ConnectionTool,
    Credential,
    Delegation,
    Deliverable,
    Delivery,
    DeliveryAttempt,
    Document,
    Event,
    Group,
    GroupMember,
    Head,
    Lesson,
    Member,
    MemoryNote,
    Message,
    Notification,
    NotificationAddressee,
    NotificationMark,
    NotificationRead,
    Passage,
    PolicyRow,
    PushSubscription,
    RuleProposal,
    RuleVersion,
    Run,
    RunStep,
    RunWait,
    Schedule,
    Secret,
    SpentKey,
    ToldLesson,
    Upload,
    User,
    Workflow,
    WorkflowHook,
    WorkflowRevision,
    Workspace,
)
