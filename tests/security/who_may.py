"""Who may what: one line per route of the OpenAPI page. A route that is missing here fails the walk."""

from dataclasses import dataclass
from typing import Any, Literal

# `signed`: no credential opens it, only the signature of the service that calls.
Role = Literal["open", "viewer", "member", "approver", "admin", "signed"]
Standing = Literal["person", "root", "service", "invited"]
RANKS: list[Role] = ["open", "viewer", "member", "approver", "admin"]
Verb = str
Path = str
STALE = {"digest": "0" * 64}


@dataclass(frozen=True)
class May:
    """The least role that a route wants, and what else it wants."""

    role: Role
    # The body is good enough to come past the parser and does no harm where it is allowed.
    body: Any = None
    # It answers an ask: a service token, or somebody who never accepted, does not.
    decides: bool = False
    # It takes a person who signed in themselves: nothing made from a token will do.
    in_person: bool = False
    # It takes all rights of its person: a token that may less will not do.
    whole: bool = False
    # It takes an admin of the whole installation: here that is `SIGNOFF_TOKEN`.
    installation: bool = False
    # Which thing of the house the path names, where the answer depends on it; the rest name what is not there.
    on: str = ""


def decides(role: Role, body: Any, on: str) -> May:
    return May(role, body, decides=True, on=on)


NEW = {"email": "walk@example.org", "name": "Walk", "role": "viewer"}
AWAY = {"deputy": "nobody@example.org", "ends_at": "2000-01-01T00:00:00Z"}
HOOK = {"kind": "webhook", "name": "Walk", "settings": {"url": "https://hooks.example.org/"}, "enabled": False}
# Any point of the curve will do: this is the first.
POINT = "BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU"
BROWSER = {"endpoint": "https://push.example.org/walk", "keys": {"p256dh": POINT, "auth": "A" * 22}}
SIGNED = May("signed", {})
READ, ACT, APPROVE, ADMIN = May("viewer"), May("member", {}), May("approver", {}), May("admin", {})

TABLE: dict[tuple[Verb, Path], May] = {
    # Health
    ("GET", "/healthz"): May("open"),
    ("GET", "/readyz"): May("open"),
    # People
    ("GET", "/api/me"): READ,
    ("PATCH", "/api/me"): May("viewer", {"name": "Ann"}, in_person=True),
    ("GET", "/api/me/preferences"): READ,
    ("PUT", "/api/me/preferences"): May("viewer", {"color_scheme": "auto"}),
    ("POST", "/api/me/presence"): May("viewer", {}),
    ("GET", "/api/settings"): READ,
    ("PATCH", "/api/settings"): ADMIN,
    ("POST", "/api/auth/sign-in"): May("open", {}),
    ("POST", "/api/auth/sign-out"): May("open", {}),
    ("POST", "/api/auth/invitation"): May("open", {}),
    ("POST", "/api/auth/password"): May("viewer", {"password": "short"}, in_person=True),
    ("POST", "/api/auth/links"): May("viewer", {}),
    ("POST", "/api/auth/links/mail"): May("open", {}),
    ("GET", "/api/workspaces"): READ,
    ("POST", "/api/workspaces"): May("viewer", {"name": "Walk"}, installation=True),
    ("POST", "/api/workspaces/{workspace_id}/switch"): May("viewer", {}),
    ("GET", "/api/tokens"): READ,
    ("POST", "/api/tokens"): May("viewer", {"name": "walk"}),
    ("DELETE", "/api/tokens/{token_id}"): READ,
    ("GET", "/api/members"): READ,
    ("POST", "/api/members"): May("admin", NEW),
    ("PATCH", "/api/members/{member_id}"): May("admin", {"role": "viewer"}),
    ("DELETE", "/api/members/{member_id}"): ADMIN,
    ("GET", "/api/invitations"): May("admin"),
    ("POST", "/api/invitations"): May("admin", NEW),
    ("DELETE", "/api/invitations/{invitation_id}"): ADMIN,
    ("GET", "/api/groups"): READ,
    ("POST", "/api/groups"): May("admin", {"name": "walk"}),
    ("PATCH", "/api/groups/{group_id}"): May("admin", {"members": []}),
    ("DELETE", "/api/groups/{group_id}"): ADMIN,
    ("GET", "/api/delegations"): READ,
    ("POST", "/api/delegations"): May("member", AWAY, in_person=True),
    ("DELETE", "/api/delegations/{delegation_id}"): READ,
    # Agents and tools
    ("GET", "/api/agents"): READ,
    ("POST", "/api/agents"): May("admin", {"slug": "walk", "name": "Walk", "model": "openai-chat:walk"}),
    ("GET", "/api/agents/{slug}"): READ,
    ("PATCH", "/api/agents/{slug}"): May("admin", {"title": "Taken over"}),
    ("DELETE", "/api/agents/{slug}"): ADMIN,
    ("GET", "/api/agents/{slug}/revisions"): READ,
    ("GET", "/api/agents/{slug}/memory"): READ,
    ("POST", "/api/agents/{slug}/memory"): May("approver", {"text": "walk"}),
    ("PATCH", "/api/agents/{slug}/memory/{note_id}"): APPROVE,
    ("DELETE", "/api/agents/{slug}/memory/{note_id}"): APPROVE,
    ("GET", "/api/models"): READ,
    ("GET", "/api/models/{provider}"): May("admin"),
    ("POST", "/api/models/test"): May("admin", {"model": "nobody-s:walk"}),
    ("GET", "/api/tools"): READ,
    # Connections
    ("GET", "/api/connections"): READ,
    ("GET", "/api/connections/catalog"): READ,
    ("POST", "/api/connections"): May(
        "admin", {"slug": "walk", "kind": "mcp", "settings": {"transport": "http", "url": "https://walk.example/mcp"}}
    ),
    ("GET", "/api/connections/{connection_id}"): READ,
    ("PATCH", "/api/connections/{connection_id}"): May("admin", {"name": "Taken over"}),
    ("DELETE", "/api/connections/{connection_id}"): ADMIN,
    ("POST", "/api/connections/{connection_id}/test"): ADMIN,
    ("POST", "/api/connections/{connection_id}/sign-in"): ADMIN,
    ("GET", "/oauth/connections"): May("open"),
    ("GET", "/api/connections/{connection_id}/tools"): READ,
    ("POST", "/api/connections/{connection_id}/tools/refresh"): ADMIN,
    ("POST", "/api/connections/{connection_id}/tools/{tool}/review"): May("admin", {"reviewed": True}),
    ("GET", "/api/personas/{slug}/available-connections"): READ,
    # Runs
    ("GET", "/api/runs"): READ,
    ("POST", "/api/runs"): May("member", {"agent": "nobody-s", "task": "walk"}),
    ("GET", "/api/runs/dashboard"): READ,
    ("GET", "/api/runs/count"): READ,
    ("GET", "/api/pause-all"): READ,
    ("POST", "/api/pause-all"): May("admin", {"enabled": False}),
    ("GET", "/api/runs/{run_id}"): READ,
    # Of a run at work an admin hears that it cannot be deleted yet.
    ("DELETE", "/api/runs/{run_id}"): May("admin", on="run_id"),
    ("GET", "/api/runs/{run_id}/messages"): READ,
    ("POST", "/api/runs/{run_id}/messages"): May("member", {"text": "hello"}),
    ("POST", "/api/runs/{run_id}/cancel"): ACT,
    ("POST", "/api/runs/{run_id}/complete"): ACT,
    ("POST", "/api/runs/{run_id}/pause"): ACT,
    ("POST", "/api/runs/{run_id}/resume"): ACT,
    ("POST", "/api/runs/{run_id}/skip-clarification"): ACT,
    ("POST", "/api/runs/{run_id}/continue"): May("member", {"instructions": "more"}),
    ("POST", "/api/runs/{run_id}/retry"): May("member", {"from": "start"}),
    ("GET", "/api/runs/{run_id}/steps"): READ,
    ("GET", "/api/runs/{run_id}/calls"): READ,
    ("GET", "/api/runs/{run_id}/calls/{call_id}/undo"): READ,
    ("POST", "/api/runs/{run_id}/calls/{call_id}/undo"): May("member", {}),
    ("GET", "/api/runs/{run_id}/calls/{call_id}/undo-since"): READ,
    ("POST", "/api/runs/{run_id}/undo"): May("member", {"since": "walk"}),
    ("GET", "/api/runs/{run_id}/connections"): READ,
    ("POST", "/api/runs/{run_id}/connections"): May("member", {"connection": "nobody-s"}),
    ("DELETE", "/api/runs/{run_id}/connections/{connection_id}"): ACT,
    ("GET", "/api/runs/{run_id}/asks"): READ,
    ("GET", "/api/runs/{run_id}/deliverables"): READ,
    ("GET", "/api/runs/{run_id}/lessons"): READ,
    ("GET", "/api/runs/{run_id}/activity"): READ,
    ("GET", "/api/runs/{run_id}/files"): READ,
    ("POST", "/api/runs/{run_id}/files"): ACT,
    ("GET", "/api/runs/{run_id}/files/content"): READ,
    ("GET", "/api/runs/{run_id}/files/raw"): READ,
    ("GET", "/api/runs/{run_id}/files/download"): READ,
    # Schedules
    ("GET", "/api/schedules"): READ,
    ("POST", "/api/schedules"): May("member", {"agent": "nobody-s", "task": "walk", "cron": "@daily"}),
    ("POST", "/api/schedules/preview"): May("viewer", {"cron": "@daily"}),
    ("GET", "/api/schedules/{schedule_id}"): READ,
    ("PATCH", "/api/schedules/{schedule_id}"): May("member", {"enabled": False}),
    ("DELETE", "/api/schedules/{schedule_id}"): ACT,
    ("POST", "/api/schedules/{schedule_id}/run-now"): ACT,
    # Workflows
    ("GET", "/api/workflows"): READ,
    ("POST", "/api/workflows"): ADMIN,
    ("GET", "/api/workflows/schema"): READ,
    ("POST", "/api/workflows/validate"): ACT,
    ("GET", "/api/workflows/{slug}"): READ,
    ("PUT", "/api/workflows/{slug}"): ADMIN,
    ("DELETE", "/api/workflows/{slug}"): ADMIN,
    ("POST", "/api/workflows/{slug}/deploy"): ADMIN,
    ("GET", "/api/workflows/{slug}/versions"): READ,
    ("GET", "/api/workflows/{slug}/versions/{version}/diff/{other}"): READ,
    ("POST", "/api/workflows/{slug}/restore"): May("admin", {"version": 1}),
    ("POST", "/api/workflows/{slug}/preview"): ACT,
    ("POST", "/api/workflows/{slug}/execute"): ACT,
    ("GET", "/api/workflows/{slug}/executions/{run_id}"): READ,
    ("POST", "/api/workflows/{slug}/executions/{run_id}/retry"): ACT,
    # Files
    ("POST", "/api/files"): ACT,
    ("GET", "/api/files/limits"): READ,
    ("DELETE", "/api/files/{file_id}"): ACT,
    # Asks
    ("GET", "/api/asks"): READ,
    ("GET", "/api/asks/count"): READ,
    ("GET", "/api/asks/groups"): READ,
    ("POST", "/api/asks/batch"): May("member", {"ids": ["walk"], "decision": "approve"}),
    ("POST", "/api/asks/expire"): May("admin", {"older_than_seconds": 36_000}),
    ("GET", "/api/asks/{ask_id}"): READ,
    ("POST", "/api/asks/{ask_id}/answer"): decides("approver", {"decision": "approve", **STALE}, "ask_id"),
    ("GET", "/api/asks/{ask_id}/remember"): READ,
    ("POST", "/api/asks/{ask_id}/preview"): May("viewer", {"arguments": {"path": "x", "content": "y"}}),
    ("POST", "/api/asks/{ask_id}/cancel"): ACT,
    ("POST", "/api/asks/{ask_id}/assign"): May("member", {"user": None}),
    ("POST", "/api/asks/{ask_id}/viewing"): May("viewer", {}),
    ("GET", "/api/asks/{ask_id}/thread"): READ,
    ("GET", "/api/asks/{ask_id}/steps-before"): READ,
    ("GET", "/api/asks/{ask_id}/comments"): READ,
    ("POST", "/api/asks/{ask_id}/comments"): decides("member", {"text": "walk"}, "ask_id"),
    # Policy
    ("GET", "/api/rules"): READ,
    ("PUT", "/api/rules"): May("admin", {"yaml": "checkpoints: []\n", "version": 10**6}),
    ("POST", "/api/rules/check"): May("viewer", {"yaml": ""}),
    ("POST", "/api/rules/simulate"): May("viewer", {"yaml": ""}),
    ("POST", "/api/rules/evaluate"): May("viewer", {"tool": "write_file"}),
    ("GET", "/api/rules/schema"): READ,
    ("GET", "/api/rules/stats"): READ,
    ("GET", "/api/rules/versions"): READ,
    ("GET", "/api/rules/versions/{version}"): READ,
    ("GET", "/api/rules/suggestions"): READ,
    ("GET", "/api/rules/open-asks"): READ,
    ("POST", "/api/rules/open-asks/apply"): May("admin", {"ids": ["walk"], "digests": {}}, decides=True),
    ("POST", "/api/rules/suggestions/dismiss"): May("admin", {"agent": "walk", "tool": "walk"}),
    ("POST", "/api/rules/emergency-stop"): May("admin", {"enabled": False}),
    ("GET", "/api/rules/allowances"): READ,
    ("DELETE", "/api/rules/allowances/{allowance_id}"): APPROVE,
    ("POST", "/api/rules/allowances/{allowance_id}/narrow"): APPROVE,
    ("GET", "/api/lessons"): READ,
    ("POST", "/api/lessons/merge"): May("approver", {"ids": ["walk", "by"], "text": "walk"}),
    ("PATCH", "/api/lessons/{lesson_id}"): May("approver", {"active": True}),
    ("DELETE", "/api/lessons/{lesson_id}"): APPROVE,
    ("GET", "/api/documents"): READ,
    ("POST", "/api/documents"): ADMIN,
    ("GET", "/api/documents/{document_id}"): READ,
    ("GET", "/api/documents/{document_id}/passages"): READ,
    ("DELETE", "/api/documents/{document_id}"): ADMIN,
    # What came of it
    ("GET", "/api/deliverables"): READ,
    ("GET", "/api/deliverables/download"): READ,
    ("GET", "/api/deliverables/{deliverable_id}"): READ,
    ("PATCH", "/api/deliverables/{deliverable_id}"): May("member", {"status": "archived"}),
    ("DELETE", "/api/deliverables/{deliverable_id}"): ACT,
    ("GET", "/api/deliverables/{deliverable_id}/versions"): READ,
    ("GET", "/api/deliverables/{deliverable_id}/content"): READ,
    ("GET", "/api/notifications"): READ,
    ("GET", "/api/notifications/count"): READ,
    # What somebody has read is for them to say, as an answer is.
    ("POST", "/api/notifications/read"): May("viewer", {}, decides=True),
    # Channels
    ("GET", "/api/channels"): READ,
    ("POST", "/api/channels"): May("admin", HOOK),
    ("GET", "/api/channels/{channel_id}"): READ,
    ("PATCH", "/api/channels/{channel_id}"): ADMIN,
    ("DELETE", "/api/channels/{channel_id}"): ADMIN,
    ("POST", "/api/channels/{channel_id}/test"): ADMIN,
    ("POST", "/api/channels/{channel_id}/rotate-secret"): ADMIN,
    ("POST", "/api/channels/{channel_id}/retry-failed"): ADMIN,
    ("GET", "/api/deliveries"): May("member"),
    ("POST", "/api/deliveries/{delivery_id}/retry"): ADMIN,
    # Whoever has the link: what it lets them do is in `tests/channels`.
    ("GET", "/a/{token}"): May("open"),
    ("POST", "/a/{token}"): May("open", {}),
    ("GET", "/api/push/key"): READ,
    ("GET", "/api/push/subscriptions"): READ,
    ("POST", "/api/push/subscriptions"): May("viewer", BROWSER, decides=True, whole=True),
    ("DELETE", "/api/push/subscriptions/{subscription_id}"): READ,
    ("GET", "/api/workflows/{slug}/hook"): READ,
    ("POST", "/api/workflows/{slug}/hook"): ADMIN,
    ("PATCH", "/api/workflows/{slug}/hook"): ADMIN,
    ("DELETE", "/api/workflows/{slug}/hook"): ADMIN,
    ("POST", "/hooks/workflows/{slug}"): SIGNED,
    ("POST", "/hooks/slack"): SIGNED,
    ("POST", "/hooks/teams"): SIGNED,
    ("POST", "/hooks/telegram/{channel_id}"): SIGNED,
    ("POST", "/hooks/discord/{channel_id}"): SIGNED,
    ("POST", "/api/channels/{channel_id}/link-code"): May("viewer", {}, in_person=True, on="channel_id"),
    ("DELETE", "/api/channels/{channel_id}/account"): May("viewer", decides=True, on="channel_id"),
    ("GET", "/api/me/accounts"): READ,
    ("GET", "/api/audit"): READ,
    ("GET", "/api/audit/verify"): READ,
    ("GET", "/api/audit/key"): READ,
    ("GET", "/api/audit/export"): May("admin"),
    ("GET", "/api/events"): READ,
    ("GET", "/api/runs/{run_id}/events"): READ,
    # Not on the page, since OpenAPI knows no sockets.
    ("SOCKET", "/api/ws"): READ,
    # The seeds' paths
    ("GET", "/api/approvals"): READ,
    ("GET", "/api/approvals/{ask_id}"): READ,
    ("POST", "/api/approvals/batch"): May("member", {"approval_ids": ["walk"], "decision": "approved"}),
    ("POST", "/api/approvals/{ask_id}/approve"): decides("approver", {}, "decided"),
    ("POST", "/api/approvals/{ask_id}/deny"): decides("approver", {"note": "walk"}, "decided"),
    ("GET", "/api/checkpoints"): READ,
    ("GET", "/api/checkpoints/{ask_id}"): READ,
    ("PUT", "/api/checkpoints/{ask_id}/approve"): decides("approver", {}, "decided"),
    ("PUT", "/api/checkpoints/{ask_id}/reject"): decides("approver", {"reason": "walk"}, "decided"),
    ("PUT", "/api/checkpoints/{ask_id}/modify"): May("viewer", {}),
    ("GET", "/api/jobs/{run_id}/questions"): READ,
    ("POST", "/api/jobs/{run_id}/questions"): May(
        "member", {"question": "Walk?", "type": "blocking", "responseType": "text"}
    ),
    ("POST", "/api/agents/{slug}/executions/{run_id}/cancel"): ACT,
    ("GET", "/api/questions/pending"): READ,
    ("POST", "/api/questions/{ask_id}/answer"): decides("member", {"response": {"value": "x"}}, "answered"),
    ("POST", "/api/questions/{ask_id}/cancel"): ACT,
    ("POST", "/api/runs/{run_id}/approve"): decides("approver", {}, "planned"),
    ("POST", "/api/runs/{run_id}/reject"): decides("approver", {"reason": "walk"}, "planned"),
}
