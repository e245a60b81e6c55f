"""Documents that have some words, each with its best passages."""

from sqlalchemy.orm import Session

from signoff.kit.paging import Page
from signoff.knowledge import queries
from signoff.knowledge.models import Document
from signoff.knowledge.queries import Found
from signoff.knowledge.schemas import DocumentOut, Hit, MatchOut

# Of one document so many passages are shown, and so many are looked at for one that is.
SHOWN, LOOKED_AT = 3, 5


def search_documents(session: Session, workspace_id: str, query: str, limit: int) -> Page[DocumentOut]:
    """Those whose passages have the words, best first; then those that only bear them in their name."""
    found, matches = dict[str, Document](), dict[str, list[MatchOut]]()
    for each in queries.search(session, workspace_id, query, limit * LOOKED_AT):
        found[each.document.id] = each.document
        of_document = matches.setdefault(each.document.id, [])
        if len(of_document) < SHOWN:
            of_document.append(_match(each))
    for named in queries.by_name(session, workspace_id, query, limit):
        found.setdefault(named.id, named)
    items = [DocumentOut.with_matches(each, matches.get(each.id, [])) for each in list(found.values())[:limit]]
    return Page(items=items, total=len(found))


def _match(found: Found) -> MatchOut:
    hits = [Hit(start=start, end=end) for start, end in found.snippet.hits]
    passage = found.passage
    return MatchOut(passage=passage.position, where=passage.place, snippet=found.snippet.text, hits=hits)
