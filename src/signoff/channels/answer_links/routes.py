"""`/a/{token}`: GET and HEAD show and decide nothing, POST decides. No session, no script, no app."""

from collections.abc import Callable
from dataclasses import replace
from typing import Annotated
from urllib.parse import parse_qsl

from fastapi import Depends, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response
from sqlalchemy.orm import Session

from signoff.asks.actions import AlreadySettled, SeenDifferent
from signoff.asks.answers.argument_diff import diff
from signoff.asks.answers.outcome import check_arguments
from signoff.asks.models import Ask
from signoff.asks.states import AskStatus
from signoff.channels.answer_links.fields import argument_fields
from signoff.channels.answer_links.form import read_answer, read_arguments
from signoff.channels.answer_links.page import HEADERS, Page, ask_page, render
from signoff.channels.answer_links.stop import stop_messages, subscription
from signoff.channels.answer_links.tokens import LinkOver, came_by, find, spend, usable
from signoff.channels.deciding import answer_from_outside, needs_sign_in, standing
from signoff.channels.routing.people import may_decide
from signoff.kit import clock, jsons
from signoff.kit.db.database import Database
from signoff.kit.errors import Invalid, SignoffError, TooMany
from signoff.kit.rate_limits import Rate
from signoff.kit.routing import api_router

router = api_router("answer pages")
POSTS_PER_MINUTE = 60
MOST_FIELDS = 500
NOTIFICATIONS = "/settings?section=notifications"
SWITCH_ON_AGAIN = "To switch them on again: Settings, Notifications."


async def _form(request: Request) -> dict[str, str]:
    """The fields of an ordinary form; of two with the same name the first counts."""
    body = (await request.body()).decode("utf-8", "replace")
    try:
        pairs = parse_qsl(body, keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError:
        raise Invalid("The form has too many fields.") from None
    found = dict[str, str]()
    for name, value in pairs:
        found.setdefault(name, value)
    return found


def _count(request: Request) -> None:
    rate: Rate = request.app.state.answer_posts
    rate.count(request.client.host if request.client else "", POSTS_PER_MINUTE)


Form = Annotated[dict[str, str], Depends(_form)]


@router.get("/a/{token}", response_class=HTMLResponse, include_in_schema=True)
def show_answer_page(token: str, request: Request) -> Response:
    """One ask on one page, for whoever got the link in a message. Nothing is decided by looking."""
    return _answered(request, lambda: (200, _shown(request, token)))


@router.head("/a/{token}", include_in_schema=False)
def look_at_answer_page(token: str, request: Request) -> Response:
    return _answered(request, lambda: (200, _shown(request, token)))


@router.post("/a/{token}", response_class=HTMLResponse)
def decide(token: str, form: Form, request: Request) -> Response:
    """Decide, once. With `Accept: application/json` the answer is {ok, text}."""

    def work() -> tuple[int, Page]:
        _count(request)
        if form.get("step") == "back":
            return 200, _shown(request, token, given=_before_review(request, token, form))
        if form.get("step") == "review" or _was_changed(request, token, form):
            return 200, _reviewed(request, token, form)
        return 200, _decided(request, token, form)

    return _answered(request, work, lambda problem: _shown(request, token, problem, form))


@router.get("/a/stop/{token}", response_class=HTMLResponse, include_in_schema=False)
def ask_to_stop(token: str, request: Request) -> Response:
    """A scanner that follows the link switches nothing off."""

    def work() -> tuple[int, Page]:
        found = _db(request).read(lambda s: subscription(s, request.app.state.keyring, token))
        text = (
            f"Signoff sends no more {found.said}. Invitations and sign-in links still come.\n"
            f"Everything stays in the app, and others are told as before. {SWITCH_ON_AGAIN}"
        )
        return 200, Page(f"Stop these {found.what}?", text, confirm=(f"Stop the {found.what}", f"/a/stop/{token}"))

    return _answered(request, work)


@router.post("/a/stop/{token}", response_class=HTMLResponse, include_in_schema=False)
def stop(token: str, request: Request) -> Response:
    """One click, as mail programs do it by themselves."""

    def work() -> tuple[int, Page]:
        _count(request)
        found = _db(request).write(lambda s: stop_messages(s, request.app.state.keyring, token))
        text = f"Signoff sends no more {found.said}. {SWITCH_ON_AGAIN}"
        return 200, Page("Done", text, mood="good", open_url=NOTIFICATIONS)

    return _answered(request, work)


def _was_changed(request: Request, token: str, form: dict[str, str]) -> bool:
    """Whether the fields of the page say something else than was proposed: then the changes are shown first."""
    if form.get("decision") != "approve" or form.get("arguments", "").strip():
        return False
    _, (_, ask) = _db(request).read(lambda session: find(session, token))
    return read_arguments(ask, form) is not None


def _before_review(request: Request, token: str, form: dict[str, str]) -> dict[str, str]:
    """The fields as they were when the changes were looked at."""
    _, (_, ask) = _db(request).read(lambda session: find(session, token))
    fields = argument_fields(read_arguments(ask, form) or {}, ask.arguments_schema or {})
    return {**{each.name: each.value for each in fields}, "edited": "1", "note": form.get("note", "")}


def _shown(request: Request, token: str, problem: str = "", given: dict[str, str] | None = None) -> Page:
    def work(session: Session) -> Page:
        link, (actor, ask) = find(session, token)
        open_url = f"/asks/{ask.id}"
        if ask.status != AskStatus.PENDING.value:
            return _over(session, ask, open_url)
        if link.used_at is not None:
            return Page("Thank you", f"Your answer was taken. {standing(session, ask)}.", "good", open_url=open_url)
        if link.expires_at <= clock.now():
            return Page("This link has expired", "Open the ask in the app to decide.", "bad", open_url=open_url)
        if not came_by(session, link).enabled:
            text = "The channel that it came by is switched off. Open the ask in the app to decide."
            return Page("This link decides nothing now", text, "bad", open_url=open_url)
        if ask.digest != link.digest:
            text = "Somebody edited it after this message was sent. Look at it again before you decide."
            return Page("This was changed", text, "bad", open_url=open_url)
        page = ask_page(ask, open_url, problem=problem, given=given)
        if needs_sign_in(ask) or not may_decide(session, actor, ask):
            return _only_shown(page, needs_sign_in(ask))
        return page

    return _db(request).read(work)


def _only_shown(page: Page, sign_in: bool) -> Page:
    why = "This must be decided in the app: sign in there." if sign_in else "You can no longer decide this."
    return replace(page, can_decide=False, problem=why)


def _over(session: Session, ask: Ask, open_url: str) -> Page:
    at = f" on {ask.settled_at:%Y-%m-%d at %H:%M} UTC" if ask.settled_at else ""
    return Page(
        standing(session, ask), f"{ask.title}\nThis was settled{at}. There is nothing left to do.", open_url=open_url
    )


def _reviewed(request: Request, token: str, form: dict[str, str]) -> Page:
    """What changed arguments would change, before they are approved."""

    def work(session: Session) -> Page:
        link, (_, ask) = find(session, token)
        if ask.digest != link.digest or ask.status != AskStatus.PENDING.value:
            raise SeenDifferent("This ask was changed meanwhile.")
        changed = read_arguments(ask, form) or {}
        check_arguments(ask, changed)
        changes = diff(ask.arguments, changed)
        if not changes:
            return ask_page(ask, f"/asks/{ask.id}", problem="You changed nothing.", given=form)
        return Page(
            f"Approve with changes: {ask.title}",
            changes=tuple(changes),
            kept=jsons.dumps(changed),
            given={"note": form.get("note", "")},
            open_url=f"/asks/{ask.id}",
        )

    return _db(request).read(work)


def _decided(request: Request, token: str, form: dict[str, str]) -> Page:
    db = _db(request)
    link, (_, ask) = db.read(lambda session: find(session, token))
    state = request.app.state
    given = read_answer(ask, form, link.digest, state.tool_impacts(), state.tool_previews())
    address = request.client.host if request.client else None
    outcome = answer_from_outside(
        db, lambda session: spend(session, token, address=address), given, lambda session: usable(session, token)[1]
    )
    return Page(outcome, ask.title, "good", open_url=f"/asks/{ask.id}")


def _answered(
    request: Request, work: Callable[[], tuple[int, Page]], again: Callable[[str], Page] | None = None
) -> Response:
    """The page, or what went wrong as a page; for programs a line of JSON."""
    try:
        status, page = work()
    except SignoffError as error:
        status, page = error.status, _problem(error, again)
    if "application/json" in request.headers.get("accept", ""):
        ok = status < 400 and not page.problem
        return JSONResponse({"ok": ok, "text": page.problem or (page.title if ok else page.text)}, status, HEADERS)
    return HTMLResponse(render(page), status, HEADERS)


def _problem(error: SignoffError, again: Callable[[str], Page] | None) -> Page:
    """What was typed wrong is said on the same page; everything else on a page of its own."""
    if again is not None and isinstance(error, Invalid):
        details = [f"{each.path}: {each.message}" for each in error.errors]
        return again("\n".join([error.detail, *details]))
    if again is not None and isinstance(error, LinkOver | AlreadySettled):
        # A phone that loads the page again hears what became of it.
        return again("")
    title = "Too many tries" if isinstance(error, TooMany) else error.title
    return Page(title, error.detail, "bad", open_url="/inbox" if error.status != 404 else "")


def _db(request: Request) -> Database:
    db: Database = request.app.state.db
    return db
