"""People with less than every right."""

from playwright.sync_api import APIRequestContext, BrowserContext, Page

from tests.e2e.flows import checked
from tests.joining import secret_in

PASSWORD = "correct horse battery"


def signed_in_as(
    context: BrowserContext, api: APIRequestContext, role: str, headers: dict[str, str] | None = None
) -> Page:
    """A page of somebody with this role."""
    email = f"{role}@example.com"
    context.clear_cookies()
    known = {
        member["email"] for member in checked(api.get("/api/members", params={"limit": 200}, headers=headers))["items"]
    }
    given = {"email": email, "password": PASSWORD}
    if email not in known:
        body = {"email": email, "name": role.title(), "role": role}
        secret = secret_in(checked(api.post("/api/invitations", data=body, headers=headers))["url"])
        given = {"token": secret, "password": PASSWORD}
    # Somebody else's session would make this a request by cookie, which needs a page.
    context.clear_cookies()
    answer = context.request.post("/api/auth/sign-in", data=given)
    assert answer.ok, answer.text()
    return context.new_page()
