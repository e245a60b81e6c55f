"""People with less than every right."""

from playwright.sync_api import APIRequestContext, BrowserContext, Page

from tests.e2e.flows import checked

PASSWORD = "correct horse battery"


def signed_in_as(context: BrowserContext, api: APIRequestContext, role: str) -> Page:
    """A page of somebody with this role."""
    email = f"{role}@example.com"
    known = {member["email"] for member in checked(api.get("/api/members", params={"limit": 200}))["items"]}
    if email not in known:
        checked(api.post("/api/members", data={"email": email, "name": role.title(), "role": role}))
        token = checked(api.post("/api/tokens", data={"name": "first", "user": email}))["token"]
        own = {"Authorization": f"Bearer {token}"}
        assert context.request.post("/api/auth/password", data={"password": PASSWORD}, headers=own).ok
    answer = context.request.post("/api/auth/sign-in", data={"email": email, "password": PASSWORD})
    assert answer.ok, answer.text()
    return context.new_page()
