from datetime import datetime

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from signoff.kit.clock import now
from signoff.kit.db.columns import Base, JsonText
from signoff.kit.jsons import JsonObject
from signoff.workspaces.mandates import Mandate


class WorkflowHook(Base):
    """The secret by which other services start a workflow, in the name of whoever turned that on."""

    __tablename__ = "workflow_hooks"

    workflow_id: Mapped[str] = mapped_column(ForeignKey("workflows.id"), primary_key=True)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id"))
    # Of the secret. It finds the workspace too: slugs are unique in one workspace only.
    digest: Mapped[str] = mapped_column(unique=True)
    # How a body becomes the workflow's input; none: it is the input.
    input: Mapped[JsonObject | None] = mapped_column(JsonText)
    # Whose rights its runs have, and no more of them than what it was made with had.
    owner_id: Mapped[str] = mapped_column(ForeignKey("users.id"))
    scope: Mapped[str | None]
    # The users who made what it was made with, if that was somebody else: good while they are admins.
    makers: Mapped[list[str]] = mapped_column(default=list)
    # The API token that the secret was made with: it ends with it.
    bond_id: Mapped[str | None]
    # Who knows or knew the secret, or said what its runs get, by label and user id: none is the other pair of eyes.
    parties: Mapped[list[str]] = mapped_column(default=list)
    created_by: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(default=now)

    @property
    def mandate(self) -> Mandate:
        """In whose name it starts runs."""
        makers = tuple(self.makers)
        return Mandate(self.workspace_id, self.owner_id, self.created_by, self.scope, makers, self.bond_id)
