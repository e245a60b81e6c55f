import asyncio
from typing import Annotated

from fastapi import Query, Request
from sqlalchemy.orm import Session

from signoff.files.receive import Received
from signoff.files.routes import FILES_BODY, uploaded
from signoff.kit.actor import Actor, Role
from signoff.kit.errors import FieldError, Invalid, TooLarge, UnsupportedMedia
from signoff.kit.paging import Page, page
from signoff.kit.routing import Paging, api_router, errors
from signoff.knowledge import actions, queries
from signoff.knowledge.actions import KnowledgeFull
from signoff.knowledge.listing import search_documents
from signoff.knowledge.models import Document, Passage
from signoff.knowledge.queries import UnknownDocument
from signoff.knowledge.reading.read_file import FileRead, read_file
from signoff.knowledge.reading.sections import CannotRead
from signoff.knowledge.schemas import DocumentOut, DocumentUploadOut, DocumentUploadsOut, PassageOut
from signoff.workspaces.access import Access, Caller

router = api_router("knowledge", "/api/documents")
MOST_FILES = 20
Search = Annotated[str | None, Query(max_length=1_000, description="Words to look for, in names and text.")]


@router.get("")
def list_documents(caller: Caller, window: Paging, q: Search = None) -> Page[DocumentOut]:
    """What the knowledge base holds, newest first. With `q`, what has its words, best first, with the passages."""

    def work(session: Session, actor: Actor) -> Page[DocumentOut]:
        if q and q.strip():
            return search_documents(session, actor.workspace_id, q, window.limit)
        found = queries.documents(actor.workspace_id)
        return page(session, found, [Document.id], window, DocumentOut.model_validate, descending=True)

    return caller.read(work)


@router.post("", status_code=201, openapi_extra=FILES_BODY, responses=errors(TooLarge, UnsupportedMedia, Invalid))
async def add_documents(request: Request, caller: Caller) -> DocumentUploadsOut:
    """Upload Markdown, text, HTML, PDF or DOCX, up to 20 files. Each says what became of it; when none was taken, 422.

    What is in them reaches agents as untrusted text, by their tool `search_knowledge`.
    """
    await asyncio.to_thread(caller.read, lambda _session, actor: actor.label, Role.ADMIN)
    async with uploaded(request, caller, MOST_FILES) as (sender, files):
        added = await asyncio.to_thread(_added, sender, files)
    for each in files:
        # Its text is kept, and not the file.
        each.path.unlink(missing_ok=True)
    return added


def _added(sender: Access, files: list[Received]) -> DocumentUploadsOut:
    settings = sender.settings
    read = [_read(each, settings.max_document_bytes) for each in files]

    def work(session: Session, actor: Actor) -> DocumentUploadsOut:
        return DocumentUploadsOut(items=[_kept(session, actor, each, settings.max_documents) for each in read])

    refused = [each for each in read if isinstance(each, DocumentUploadOut)]
    if len(refused) == len(read):
        wrong = [FieldError(each.name, each.error or "") for each in refused]
        raise Invalid(f"{refused[0].name}: {refused[0].error}", errors=wrong)
    return sender.write(work, Role.ADMIN)


@router.get("/{document_id}", responses=errors(UnknownDocument))
def get_document(document_id: str, caller: Caller) -> DocumentOut:
    def work(session: Session, actor: Actor) -> DocumentOut:
        return DocumentOut.model_validate(queries.document(session, actor.workspace_id, document_id))

    return caller.read(work)


@router.get("/{document_id}/passages", responses=errors(UnknownDocument))
def list_passages(document_id: str, caller: Caller, window: Paging) -> Page[PassageOut]:
    """A document's text, passage by passage."""

    def work(session: Session, actor: Actor) -> Page[PassageOut]:
        found = queries.passages(queries.document(session, actor.workspace_id, document_id))
        return page(session, found, [Passage.position], window, PassageOut.of)

    return caller.read(work)


@router.delete("/{document_id}", status_code=204, responses=errors(UnknownDocument))
def delete_document(document_id: str, caller: Caller) -> None:
    """Agents no longer find it; runs under way keep what they have read."""

    def work(session: Session, actor: Actor) -> None:
        actions.delete(session, actor, queries.document(session, actor.workspace_id, document_id))

    caller.write(work, Role.ADMIN)


def _read(file: Received, most: int) -> FileRead | DocumentUploadOut:
    with file.path.open("rb") as sent:
        content = sent.read(most + 1)
    try:
        return read_file(file.name, content, most)
    except CannotRead as refusal:
        return DocumentUploadOut(name=file.name, status="refused", error=str(refusal))


def _kept(session: Session, actor: Actor, file: FileRead | DocumentUploadOut, most: int) -> DocumentUploadOut:
    if isinstance(file, DocumentUploadOut):
        return file
    try:
        document, is_new = actions.add(session, actor, file, most)
    except KnowledgeFull as refusal:
        return DocumentUploadOut(name=file.name, status="refused", error=refusal.detail)
    shown = DocumentOut.model_validate(document)
    return DocumentUploadOut(name=file.name, status="added" if is_new else "known", document=shown)
