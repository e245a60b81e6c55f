"""People with less than every right."""

from playwright.sync_api import APIRequestContext, BrowserContext, Page

from tests.e2e.flows import checked
from tests.joining import secret_in

PASSWORD = "correct horse battery"


def signed_in_as(context: BrowserContext, api: APIRequestContext, role: str) -> Page:
    """A page of somebody with this role."""
    email = f"{role}@example.com"
    known = {member["email"] for member in checked(api.get("/api/members", params={"limit": 200}))["items"]}
    if email not in known:
        body = {"email": email, "name": role.title(), "role": role}
        secret = secret_in(checked(api.post("/api/invitations", data=body))["url"])
        assert context.request.post("/api/auth/sign-in", data={"token": secret, "password": PASSWORD}).ok
    answer = context.request.post("/api/auth/sign-in", data={"email": email, "password": PASSWORD})
    assert answer.ok, answer.text()
    return context.new_page()
