"""The demo's market researcher: compares made-up vendors of whatever the task names, and asks on the way."""

from dataclasses import dataclass, replace

from signoff.engine.model.demo.task_words import clause, compared_things, how_many, listed_names, quoted
from signoff.engine.model.demo.turns import (
    MARK,
    DemoTurn,
    Document,
    Past,
    all_done,
    complete,
    finish,
    hand_over,
    progress,
)

STEPS = ["Collect prices", "Draft the report", "Ask about the audience", "Tell the team"]
FILE = "competitive-analysis.md"
READERS = ["Whoever will use it", "Whoever pays for it", "Whoever decides"]


@dataclass(frozen=True)
class Vendor:
    name: str
    price: int
    ready_days: int
    back_days: int
    support_hours: int
    strong: str
    weak: str


# What speaks for and against each goes on after its name.
VENDORS = [
    Vendor("Northwind", 100, 10, 0, 72, "costs least", "accepts no returns and answers only after three days"),
    Vendor("Halyard", 118, 5, 30, 24, "accepts returns for 30 days and answers within a day", "costs 18 % more"),
    Vendor("Quillon", 131, 2, 14, 4, "delivers within two days and answers within hours", "costs 31 % more"),
    Vendor("Alder", 109, 21, 30, 48, "gives 30 days to change your mind at a fair price", "needs three weeks"),
    Vendor("Brightside", 144, 3, 60, 8, "gives 60 days to change your mind", "costs 44 % more"),
]


def vendors_for(task: str) -> list[Vendor]:
    """As many as were asked for, under the names that the task gives, if it does."""
    names = listed_names(task)
    if names:
        return [replace(vendor, name=name) for vendor, name in zip(VENDORS, names, strict=False)]
    return VENDORS[: how_many(task)]


def table(task: str) -> str:
    """The figures, for a spreadsheet. They say of themselves that they are made up."""
    rows = [
        f'"{each.name}",{each.price},{each.ready_days},{each.back_days},{each.support_hours},made up for the demo'
        for each in vendors_for(task)
    ]
    head = "vendor,price_index,ready_in_days,money_back_days,support_answers_in_hours,source"
    return "\n".join([head, *rows]) + "\n"


def report(task: str) -> str:
    vendors, things = vendors_for(task), compared_things(task)
    cheap, safe = vendors[0], vendors[1]
    fast = min(vendors, key=lambda each: each.ready_days)
    about = f" for {things}" if things else ""
    short = [
        f"**{safe.name}** is the safest choice{about}: it {safe.strong}.",
        f"**{cheap.name}** {cheap.strong}, but {cheap.weak}.",
    ]
    advice = [
        f"Ask {safe.name} for a written offer. It costs {safe.price - cheap.price} % more, so there is room.",
        f"Name {cheap.name}'s price when you do: it is the strongest argument that you have.",
    ]
    if fast not in (safe, cheap):
        short.append(f"**{fast.name}** {fast.strong}, but {fast.weak}.")
        advice.append(f"Take {fast.name} only if it has to be there within the week.")
    return "\n".join(
        [
            f"# Competitive analysis: {things or clause(task) or 'your question'}\n",
            MARK,
            f"**Asked for**\n\n{quoted(task)}\n",
            f"## In short\n\n{' '.join(short)}\n",
            f"## Side by side\n\n{_side_by_side(vendors)}\n",
            "## For and against\n",
            *(f"- **{each.name}** {each.strong}. Against it: it {each.weak}." for each in vendors),
            "\n## What to do\n",
            *(f"{number}. {each}" for number, each in enumerate(advice, 1)),
            "\n## Still open\n",
            "- How many are needed, and by when?",
            "- What may it cost at most?",
            "- Who uses it every day, and has anybody asked them?",
            "",
        ]
    )


def _side_by_side(vendors: list[Vendor]) -> str:
    rows = [
        ("Price (cheapest = 100)", [str(each.price) for each in vendors]),
        ("Ready in", [f"{each.ready_days} days" for each in vendors]),
        ("Money back within", [f"{each.back_days} days" if each.back_days else "never" for each in vendors]),
        ("Support answers in", [f"{each.support_hours} hours" for each in vendors]),
    ]
    lines = [("(made up)", [each.name for each in vendors]), ("---", ["---"] * len(vendors)), *rows]
    return "\n".join(f"| {first} | {' | '.join(rest)} |" for first, rest in lines)


def for_readers(task: str, readers: str) -> str:
    """What a report says to those who will read it."""
    cheap, safe = vendors_for(task)[:2]
    words = {
        READERS[0]: f"Try it before the whole order goes out: {safe.name} takes it back within {safe.back_days} days, "
        f"{cheap.name} does not. Support is the difference that you would feel every day.",
        READERS[
            1
        ]: f"{safe.name} costs {safe.price - cheap.price} % more than {cheap.name}. One wrong order that cannot "
        "go back costs more than that.",
        READERS[
            2
        ]: f"One decision is needed: {safe.name} at {safe.price - cheap.price} % more, or {cheap.name} without a "
        "way back. Everything else can be settled afterwards.",
    }
    return f"## For {readers[:1].lower()}{readers[1:]}\n\n{words.get(readers, words[READERS[2]])}\n"


def document(task: str) -> Document:
    return Document(FILE, "the report", report(task))


def competitive_analysis(past: Past) -> DemoTurn:
    """Progress, a table, a file to approve, a question, a message to approve, the report."""
    task, things = past.task, compared_things(past.task)
    *others, last = (each.name for each in vendors_for(task))
    names = f"{', '.join(others)} and {last}"
    if past.may("report_progress"):
        text = f"I will compare {names}{f' for {things}' if things else ''}, starting with their prices."
        return DemoTurn(text, (progress(STEPS[0], STEPS, 10),))
    if past.may("create_deliverable"):
        csv = hand_over("pricing.csv", table(task), "Prices and terms by vendor", "csv")
        text = "I have the figures. Here they are as a table; I will write the report next."
        return DemoTurn(text, (csv, progress(STEPS[1], STEPS, 35)))
    if past.may("write_file"):
        why = "The report is drafted. In the run's folder you can read it, and change it before it goes out."
        write = {"path": FILE, "content": report(task), "_reasoning": why, "_confidence": 0.86}
        return DemoTurn("The draft is ready. I would like to put it into a file.", (("write_file", write),))
    if past.may("ask_question"):
        refused = "Then there is no file yet. " if past.calls.get("write_file") else ""
        kept = "The draft is in the folder. " if past.worked("write_file") else refused
        question = {
            "question": "Who will read this report?",
            "responseType": "choice",
            "options": READERS,
            "context": "Users want to know what they will live with, buyers what it costs, deciders what to choose.",
        }
        return DemoTurn(
            f"{kept}One thing I cannot know by myself:", (progress(STEPS[2], STEPS, 60), ("ask_question", question))
        )
    return _last_turns(past, things)


def _last_turns(past: Past, things: str) -> DemoTurn:
    readers = past.result("ask_question") or READERS[2]
    cheap, safe = vendors_for(past.task)[:2]
    if past.may("send_message"):
        what = f"The comparison of {things}" if things else "The competitive analysis"
        message = f"{what} is ready (a demo: its figures are made up). In short: {safe.name} rather than {cheap.name}."
        why = "The team should know that the report exists. A message reaches people, so it is your call."
        send = {"channel": "#strategy", "text": message, "_reasoning": why, "_confidence": 0.74}
        calls = (progress(STEPS[3], STEPS, 80), ("send_message", send))
        # Somebody may have changed the draft before they let it through: theirs counts.
        reading = (("read_file", {"path": FILE}),) if past.worked("write_file") and past.may("read_file") else ()
        return DemoTurn("Thank you. I will write it for them, and tell the team.", (*reading, *calls))
    if past.may("create_deliverable", 2):
        draft = past.results["read_file"][0] if past.worked("read_file") else report(past.task)
        text = f"{draft.rstrip()}\n\n{for_readers(past.task, readers)}"
        sent = past.worked("send_message")
        told = "The team was told." if sent else "The team was not told."
        summary = (
            f"The comparison{f' of {things}' if things else ''} is ready: {safe.name} is the safest choice. {told}"
        )
        found = (f"{safe.name} {safe.strong}", f"{cheap.name} {cheap.strong}, but {cheap.weak}")
        calls = (hand_over(FILE, text, "The report"), *((all_done(STEPS),) if sent else ()), complete(summary, *found))
        return DemoTurn("Here is the finished report.", calls)
    return finish("The report is handed over.")
