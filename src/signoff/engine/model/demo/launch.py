"""The demo's release coordinator: lays out the steps of a launch, and does those that were let through."""

from typing import Any

from signoff.engine.model.demo.task_words import launched_thing, quoted
from signoff.engine.model.demo.turns import MARK, Call, DemoTurn, Document, Past, complete, finish, hand_over

PLAN_FILE, CHECKLIST_FILE, CHANNEL = "launch-plan.md", "checklist.md", "#launch"


def launch_text(task: str) -> str:
    thing = launched_thing(task)
    return f"""\
# Launch plan: {thing}

{MARK}
**Asked for**

{quoted(task)}

## Who does what, and when

| when | what | who |
|---|---|---|
| two weeks before | Decide what belongs to {thing}, and what waits for the next time | product |
| one week before | Try it with five people who have not seen it; fix what stops them | product, support |
| three days before | Write the announcement and the answers to the first ten questions | marketing, support |
| the day before | Practise rolling back once, and time it | operations |
| the day, 10:00 | Open it for one in ten, and look at the figures for two hours | operations |
| the day, 14:00 | Open it for everybody, then announce it | operations, marketing |
| the day after | Read every message that came in; decide what is fixed this week | everybody |

## What can go wrong

| what | how we notice | what we do |
|---|---|---|
| It does not work for some | more than 5 questions an hour | back to one in ten, and tell those who wrote |
| Nobody hears of it | fewer than 100 visits by noon | a second message, to those who asked for it |
| Support is swamped | answers take longer than 4 hours | marketing helps with the ten known answers |

## How we know that it worked

- After a day: not one step of this plan had to be taken back.
- After a week: one in five of those who were told has tried it.
- After a month: they still use it.
"""


def checklist_text(task: str) -> str:
    return f"""\
# Checklist: {launched_thing(task)}

- [ ] Everybody knows the day, and who decides if it has to move
- [ ] Five people have tried it without help
- [ ] The announcement was read aloud once
- [ ] The answers to the first ten questions are with support
- [ ] Rolling back was practised, and takes less than ten minutes
- [ ] Somebody looks at the figures from 10:00 to 16:00
- [ ] The announcement is out
- [ ] Everybody who helped was thanked
"""


def announcement(task: str) -> str:
    return f"It's here: {launched_thing(task)}. The schedule is in {PLAN_FILE}. Questions go into this channel."


def document(task: str) -> Document:
    return Document(PLAN_FILE, "the plan", launch_text(task))


def _steps(task: str) -> list[dict[str, Any]]:
    notes = {"path": PLAN_FILE, "content": launch_text(task)}
    checklist = {"path": CHECKLIST_FILE, "content": checklist_text(task)}
    announce = {"channel": CHANNEL, "text": announcement(task)}
    return [
        _step("notes", "write_file", notes, "Who does what and when, for everybody to read"),
        _step("checklist", "write_file", checklist, "What is left to do by hand"),
        _step("announce", "send_message", announce, "Tell the team that it is out"),
    ]


def _step(name: str, tool: str, arguments: dict[str, str], purpose: str) -> dict[str, Any]:
    return {"id": name, "tool": tool, "arguments": arguments, "purpose": purpose}


def launch_plan(past: Past) -> DemoTurn:
    """A plan of three steps to choose from, then a summary of what was let through."""
    if "propose_plan" not in past.tools:
        return _without_plan(past)
    thing, steps = launched_thing(past.task), _steps(past.task)
    if past.may("propose_plan"):
        plan = {"summary": f"Write a plan and a checklist for {thing}, then tell the team.", "steps": steps}
        return DemoTurn("Three steps, and you choose which of them happen.", (("propose_plan", plan),))
    if not past.worked("propose_plan") and past.may("propose_plan", 2):
        plan = {"summary": f"Only the plan for {thing}: nothing reaches people.", "steps": steps[:1]}
        return DemoTurn("Then I leave out whatever reaches people.", (("propose_plan", plan),))
    if not past.worked("propose_plan"):
        return finish(f"No step was approved, so nothing was done for {thing}.")
    # What was let through came back as calls of their own.
    done = [step for step in steps if _happened(past, step)]
    return _summary(past, done, [step for step in steps if step not in done])


def _happened(past: Past, step: dict[str, Any]) -> bool:
    return f"Step {step['id']} ({step['tool']}) succeeded" in past.results["propose_plan"][0]


def _without_plan(past: Past) -> DemoTurn:
    """The same steps one by one, where nobody wants a plan first."""
    steps = _steps(past.task)
    for place, step in enumerate(steps[:2], 1):
        if past.may("write_file", place):
            call: Call = ("write_file", step["arguments"] | {"_reasoning": step["purpose"]})
            return DemoTurn(f"I would like to write {step['arguments']['path']}.", (call,))
    if past.may("send_message"):
        call = ("send_message", steps[2]["arguments"] | {"_reasoning": steps[2]["purpose"]})
        return DemoTurn("Now the team should know.", (call,))
    done = [step for step in steps if past.worked(step["tool"])]
    return _summary(past, done, [step for step in steps if step not in done])


def _summary(past: Past, done: list[dict[str, Any]], left: list[dict[str, Any]]) -> DemoTurn:
    thing = launched_thing(past.task)
    if not past.may("create_deliverable"):
        return finish(f"Everything is prepared for {thing}.")
    lines = [
        f"# Where it stands: {thing}\n",
        MARK,
        "## Done\n",
        *([f"- {_words(step)}" for step in done] or ["- Nothing yet."]),
        *(["\n## Left out, as you wished\n", *(f"- {_words(step)}" for step in left)] if left else []),
        "\n## Next\n",
        "1. Choose the day, and who decides if it has to move.",
        "2. Go through the checklist with whoever helps.",
        "3. Practise rolling back before anything is announced.\n",
    ]
    note = hand_over("launch-summary.md", "\n".join(lines), "What was done, what was left out, what comes next")
    count = f"{len(done)} of {len(done) + len(left)}"
    return DemoTurn("Here is what was done.", (note, complete(f"{count} steps towards {thing} are done.")))


def _words(step: dict[str, Any]) -> str:
    given = step["arguments"]
    return f"{step['purpose']} ({given.get('path') or given.get('channel')})"
