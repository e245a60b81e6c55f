"""Research with deliverables: documents go in, the agent searches them and hands over a report with its sources.

python examples/research.py
"""

from running_signoff import running_signoff
from scripted_model import call, scripted_model

DOCUMENTS = {
    "travel-policy.md": "# Travel\n\nTrains first. Flights only above 800 km.\n\n## Hotels\n\nUp to 140 euros a night.",
    "travel-2026.md": "# Travel in 2026\n\n412 trips, 61 by plane. 23 of the flights were shorter than 800 km.",
}
REPORT = """# Do we keep to our travel policy?

Mostly. The policy allows flights only above 800 km [1], yet 23 of 61 flights in 2026 were shorter [2].

[1] travel-policy.md, Travel
[2] travel-2026.md, Travel in 2026
"""

with (
    scripted_model(
        call("search_knowledge", query="flights policy") + call("search_knowledge", query="flights 2026 shorter"),
        call("create_deliverable", name="Travel report", type="markdown", content=REPORT, description="With sources"),
        call("complete_task", summary="23 of 61 flights were too short.", key_findings=["23 of 61 flights < 800 km"]),
    ) as model,
    running_signoff(model) as signoff,
):
    for name, text in DOCUMENTS.items():
        signoff.http.post("/api/documents", files={"files": (name, text.encode())}).raise_for_status()
    print(f"Knows {len(DOCUMENTS)} documents: {', '.join(DOCUMENTS)}")

    run = signoff.start("Do we keep to our travel policy? Quote your sources.", tools=["search_knowledge"])
    ended = signoff.ended(run)

    for done in signoff.calls(run):
        if done["tool"] == "search_knowledge":
            found = [each["document"] for each in done["result"]["passages"]]
            print(f"Searched {done['arguments']['query']!r}: {', '.join(found)}")

    report = signoff.get("/api/deliverables", run=run)["items"][0]
    print(f"\nHanded over: {report['name']} ({report['type']}, {report['status']})\n")
    print(signoff.http.get(f"/api/deliverables/{report['id']}/content").text)
    print(f"The run is {ended['status']}: {ended['output']['summary']}")
