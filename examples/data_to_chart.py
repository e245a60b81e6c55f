"""From data to a chart: a CSV file goes in, the agent asks it in SQL, draws the answer and hands over the picture.

python examples/data_to_chart.py        # needs signoff[charts]
"""

from running_signoff import running_signoff
from scripted_model import call, scripted_model

SALES = "month,region,amount\n1,North,120\n1,South,80\n2,North,95\n2,South,160\n3,North,130\n3,South,210\n"
QUESTION = "SELECT region, sum(amount) AS sold FROM 'input/sales.csv' GROUP BY region ORDER BY sold DESC"
CHART = {
    "title": "Sold by region",
    "mark": "bar",
    "encoding": {"x": {"field": "region", "type": "nominal"}, "y": {"field": "sold", "type": "quantitative"}},
}

with (
    scripted_model(
        call("query_data", sql=QUESTION),
        call(
            "make_chart",
            name="regions",
            spec=CHART,
            data=[{"region": "South", "sold": 450}, {"region": "North", "sold": 345}],
        ),
        call("create_deliverable", name="Sold by region", type="image", path="regions.svg"),
        call("complete_task", summary="South sold most: 450 of 795."),
    ) as model,
    running_signoff(model) as signoff,
):
    sales = signoff.upload("sales.csv", SALES)
    run = signoff.start("Which region sells most? Draw it.", tools=["query_data", "make_chart"], files=[sales])

    # To ask the data is free. To write the picture asks, unless your rules say that files in its own folder are fine.
    ask = signoff.next_ask(run)
    print(f"Waiting for a person: {ask['title']} ({ask['impact']['text']})")
    signoff.approve(ask)

    ended = signoff.ended(run)
    answer = signoff.calls(run)[0]["result"]
    print(f"\n{QUESTION}")
    for region, sold in answer["rows"]:
        print(f"  {region}: {sold}")

    chart = signoff.get("/api/deliverables", run=run)["items"][0]
    picture = signoff.http.get(f"/api/deliverables/{chart['id']}/content").content
    print(f"\nHanded over: {chart['name']} ({chart['mime_type']}, {len(picture)} bytes, {picture[:4].decode()}...)")
    print(f"The run is {ended['status']}: {ended['output']['summary']}")
