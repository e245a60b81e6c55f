"""`send_email`, which every client may count on: it goes through the mail connection that the run was granted."""

from dataclasses import replace

from sqlalchemy.orm import Session

from signoff.connections import queries
from signoff.kit.jsons import JsonObject
from signoff.policy.impact import Impact, ImpactKind
from signoff.tools.connections.available import ConnectionTools
from signoff.tools.connections.email.kind import Addresses, EmailKind, Subject
from signoff.tools.effects import NoPreview, Preview
from signoff.tools.registry import Tool, ToolContext, ToolFailed, tool

HOW = (
    "Mail goes out through a connection of the kind email: an admin sets one up under Connections, and whoever starts "
    "a run grants it."
)
# Whom it reaches is known only with the connection, so it counts as the gravest that a mail can do.
GRAVEST = Impact(
    (ImpactKind.LEAVES_HOUSE, ImpactKind.REACHES_CUSTOMERS, ImpactKind.CANNOT_BE_UNDONE),
    "Sends a mail, cannot be undone",
)


def send_email_tool(connections: ConnectionTools) -> Tool:
    """By the first mail connection, in the order of their slugs, that a run may use at that moment."""

    def granted(context: ToolContext) -> Tool:
        def work(session: Session) -> list[Tool]:
            usable = [each for each in queries.granted(session, context.run_id) if each.kind == EmailKind.kind]
            return list(connections.of(session, usable).values())

        found = context.db.read(work)
        if not found:
            raise ToolFailed(f"This run has no mail connection. {HOW}")
        return found[0]

    async def send_email(context: ToolContext, to: Addresses, subject: Subject, body: str) -> JsonObject:
        """Send one mail, as plain text, through the mail connection of this run."""
        return await granted(context).run(context, {"to": to, "subject": subject, "body": body})

    def preview(context: ToolContext, arguments: JsonObject) -> Preview:
        try:
            show = granted(context).preview
        except ToolFailed as error:
            raise NoPreview(str(error)) from None
        if show is None:
            raise NoPreview("The connection cannot show it.")
        return show(context, arguments)

    made = tool(
        operation_type="send_email",
        risk="high",
        source="builtin",
        title="Send a mail to {to}: {subject}",
        impact=GRAVEST,
        preview=preview,
        missing=lambda _settings: HOW,
    )(send_email)
    return replace(made, of_agent=True)
