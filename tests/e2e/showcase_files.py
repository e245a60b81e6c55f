"""Documents, notes and files for the pictures: what agents read, keep and make."""

from tests.e2e.showcase import House
from tests.wire import call, says

AGENT = "travel-desk"
DOCUMENTS = {
    "travel-policy.md": "# Travel\n\n## Trains\nWe take the train for everything under five hours.\n\n"
    "## Refunds\nReceipts are paid back within 30 days.\n",
    "onboarding.md": "# Your first week\nYou get your laptop on Monday, and your refunds go to the office.\n",
    "suppliers.txt": "Paper: Nordic Office. Coffee: Two Beans. Refunds only in writing.\n",
}
NOTES = {
    "report-style": "Ada likes one page, with the figures first.",
    "fiscal-year": "The fiscal year begins in April.",
    "": "Two Beans delivers on Tuesdays only.",
}
TRIPS = "city,days,cost\nBern,2,640\nOslo,4,1980\nLyon,3,910\n"
BRIEF = "# Trips of the quarter\n\nWhat we spent, and where we could take the **train**.\n"
REPORT = (
    "# Trips\n\nThree trips, **3,530 EUR** in all.\n\n| City | Cost |\n|---|---|\n| Bern | 640 |\n| Oslo | 1980 |\n"
)
SHORTER = REPORT.replace("Three trips", "Bern and Oslo").replace("3,530", "2,620")
COLUMNS = ((20, 30), (95, 95), (170, 45))
_BARS = "".join(f'<rect x="{x}" y="{110 - high}" width="50" height="{high}"/>' for x, high in COLUMNS)
CHART = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 120" fill="#0a7">{_BARS}</svg>'
WRITTEN = {
    "reports/trips.md": REPORT,
    "charts/trips.svg": CHART,
    "data/totals.json": '{"trips": 3, "total": 3530, "currency": "EUR"}',
}


def furnish_files(ada: House) -> dict[str, str]:
    """Returns where they are."""
    documents = [("files", (name, text.encode())) for name, text in DOCUMENTS.items()]
    assert ada.client.post("/api/documents", files=documents).is_success
    return {"knowledge": "/knowledge", "memory": f"/agents/{AGENT}?tab=memory", "files": f"/runs/{_trip(ada)}"}


def _trip(ada: House) -> str:
    """A run that was given files, made others, and has ended."""
    writes = [call("write_file", {"path": path, "content": text}) for path, text in WRITTEN.items()]
    writes.append(call("write_file", {"path": "reports/trips.md", "content": SHORTER}))
    steps = (says("", each) for each in writes)
    model = ada.model.script(AGENT, *steps, says("", call("complete_task", {"summary": "The report is written."})))
    desk = {"slug": AGENT, "name": "Travel desk", "title": "Trips and what they cost", "category": "operations"}
    ada.post("/api/agents", desk | {"model": model, "tools": ["read_file", "write_file"], "autonomy": "full"})
    for key, text in NOTES.items():
        ada.post(f"/api/agents/{AGENT}/memory", {"text": text} | ({"key": key} if key else {}))
    files = [("files", ("trips.csv", TRIPS.encode())), ("files", ("brief.md", BRIEF.encode()))]
    given = ada.client.post("/api/files", files=files).json()["items"]
    return ada.work_off(AGENT, "Report on the trips of the quarter", files=[each["id"] for each in given])
