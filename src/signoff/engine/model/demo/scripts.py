"""What the demo model plays. Pure: from how far it has come to what it says and does next."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

Call = tuple[str, dict[str, Any]]


@dataclass(frozen=True)
class Past:
    """The conversation so far: the task, how many replies were given, how the last call of each tool ended."""

    task: str
    replies: int
    results: Mapping[str, tuple[str, bool]]

    def result(self, tool: str) -> str:
        return self.results.get(tool, ("", False))[0]

    def worked(self, tool: str) -> bool:
        return self.results.get(tool, ("", False))[1]


@dataclass(frozen=True)
class DemoTurn:
    text: str
    calls: tuple[Call, ...] = ()


Script = Callable[[Past], DemoTurn]

ANSWER = DemoTurn(
    "I am the demo's scripted model, so I cannot really answer. With a real model I would read my transcript and "
    "answer your question here; nothing would be decided by it."
)

PRICES = """\
vendor,plan,price_per_seat,approvals,audit_log
Northwind Agents,Team,39,yes,no
Halyard,Business,55,yes,yes
Quillbot Ops,Starter,19,no,no
Us,Team,35,yes,yes
"""

DRAFT = """\
# Competitive analysis

## In one paragraph
Of the three vendors that come up most often, **Halyard** is the closest to us: it has approvals and an audit log, and
costs 55 per seat. **Northwind** is cheaper but keeps no record. **Quillbot Ops** has no approvals at all.

## Where we stand
| | Northwind | Halyard | Quillbot | Us |
|---|---|---|---|---|
| Approvals | yes | yes | no | yes |
| Audit log | no | yes | no | yes |
| Price per seat | 39 | 55 | 19 | 35 |

## What to do
1. Lead with the audit log: of the others only Halyard has one, and it costs 20 more per seat.
2. Keep the Team plan below 39.
3. Say plainly what happens when an agent is refused: nobody else does.
"""


def competitive_analysis(past: Past) -> DemoTurn:
    """Progress, a draft, a file to approve, a question, a message to approve, the report."""
    steps = ["Collect prices", "Draft the report", "Ask about the audience", "Tell the team"]
    done, rest = steps[: past.replies], steps[past.replies :]
    match past.replies:
        case 0:
            return DemoTurn(
                "I will compare the three vendors that come up most often, starting with their public prices.",
                (_progress("Collect prices", done, rest[1:], 10), ("list_files", {})),
            )
        case 1:
            text = "I have the prices. Here is the comparison as a table; I will write the report next."
            table = {
                "name": "pricing.csv",
                "type": "csv",
                "content": PRICES,
                "description": "Prices and features by vendor",
            }
            return DemoTurn(text, (("create_deliverable", table), _progress("Draft the report", done, rest[1:], 35)))
        case 2:
            why = (
                "The report is drafted. Writing it to the run's folder lets you read and change it before it goes out."
            )
            write = {"path": "competitive-analysis.md", "content": DRAFT, "_reasoning": why, "_confidence": 0.86}
            return DemoTurn("The draft is ready. I would like to put it into a file.", (("write_file", write),))
        case 3:
            kept = (
                "The draft is in the folder." if past.worked("write_file") else "I will keep the draft to myself, then."
            )
            question = {
                "question": "Who will read this report?",
                "responseType": "choice",
                "options": ["Sales", "Product", "The board"],
                "context": "Sales wants talking points, product wants gaps, the board wants one page.",
            }
            return DemoTurn(f"{kept} One thing I cannot know by myself:", (("ask_question", question),))
        case 4:
            audience = past.result("ask_question").strip('"') or "everyone"
            message = (
                f"The competitive analysis for {audience} is ready. In short: lead with the audit log, stay below 39."
            )
            why = f"{audience} should know that the report exists. This goes to people, so it is your call."
            send = {"channel": "#strategy", "text": message, "_reasoning": why, "_confidence": 0.74}
            progress = _progress("Tell the team", steps[:3], [], 80)
            return DemoTurn(f"Thank you. I will write it for {audience}.", (progress, ("send_message", send)))
        case 5:
            audience = past.result("ask_question").strip('"') or "everyone"
            report = DRAFT.replace("# Competitive analysis", f"# Competitive analysis for {audience}", 1)
            name = {
                "name": "competitive-analysis.md",
                "type": "markdown",
                "content": report,
                "description": "The report",
            }
            told = "and the team was told" if past.worked("send_message") else "and nobody was told, as you wished"
            end = {
                "summary": f"The analysis for {audience} is done {told}.",
                "key_findings": ["Only Halyard also has an audit log", "Our Team plan is the cheapest with approvals"],
            }
            return DemoTurn("Here is the finished report.", (("create_deliverable", name), ("complete_task", end)))
        case _:
            return _finish("The analysis is done.")


def support_reply(past: Past) -> DemoTurn:
    """Reads, drafts, and asks before anything reaches a customer."""
    match past.replies:
        case 0:
            return DemoTurn(
                "Let me see what we know about this customer.", (_progress("Read the ticket", [], ["Reply"], 20),)
            )
        case 1:
            text = "Hello Mia,\n\nyour refund was booked today and arrives within three days.\n\nBest, Support"
            send = {
                "channel": "#customer-replies",
                "text": text,
                "_reasoning": "The order was returned and the refund window is open, so the promise is safe.",
                "_confidence": 0.91,
            }
            return DemoTurn("I have a reply ready for the customer.", (("send_message", send),))
        case _:
            if past.worked("send_message"):
                return _finish("The reply was sent.")
            note = {"name": "reply-draft.md", "type": "markdown", "content": "A reply was drafted but not sent."}
            done = {"summary": "The reply was refused; the draft is kept."}
            return DemoTurn("Then I leave it as a draft.", (("create_deliverable", note), ("complete_task", done)))


NOTES = "# Version 2\n\n- Asks of every kind\n- Rules in YAML\n- Plans that you approve step by step\n"


def launch_plan(past: Past) -> DemoTurn:
    """A plan of three steps to choose from, then a summary of what was let through."""
    announce = {"channel": "#launch", "text": "Version 2 is out. The notes are in the folder."}
    steps = [
        {"id": "notes", "tool": "write_file", "arguments": {"path": "release-notes.md", "content": NOTES},
         "purpose": "The notes, for everybody to read before they go out"},
        {"id": "checklist", "tool": "write_file",
         "arguments": {"path": "checklist.md", "content": "- [ ] Tag\n- [ ] Publish\n- [ ] Announce\n"},
         "purpose": "What is left to do by hand"},
        {"id": "announce", "tool": "send_message", "arguments": announce, "purpose": "Tell the team that it is out"},
    ]  # fmt: skip
    if past.replies == 0:
        plan = {"summary": "Write the notes and a checklist, then announce the launch.", "steps": steps}
        return DemoTurn("Three steps, and you choose which of them happen.", (("propose_plan", plan),))
    if not past.worked("propose_plan") and past.replies == 1:
        plan = {"summary": "Only the notes, then.", "steps": steps[:1]}
        return DemoTurn("Then I leave out whatever reaches people.", (("propose_plan", plan),))
    if not past.worked("propose_plan"):
        return _finish("Nothing was let through, so nothing was done.")
    result = past.result("propose_plan")
    note = {"name": "launch-summary.md", "type": "markdown", "content": f"# Launch\n\n```\n{result}\n```\n"}
    done = {"summary": "The approved steps of the launch are done."}
    return DemoTurn("Here is what was done.", (("create_deliverable", note), ("complete_task", done)))


def assistant(past: Past) -> DemoTurn:
    """For any task: a note as a deliverable, after one file that somebody approves."""
    match past.replies:
        case 0:
            plan = _progress("Think about the task", [], ["Write notes"], 25)
            return DemoTurn("I am the demo model: I play the product without a key.", (plan,))
        case 1:
            content = f"# Notes\n\nThe task was:\n\n> {past.task[:500]}\n"
            write = {"path": "notes.md", "content": content, "_reasoning": "Notes help whoever reads this later."}
            return DemoTurn("I would like to write my notes into a file.", (("write_file", write),))
        case 2:
            note = {"name": "notes.md", "type": "markdown", "content": f"# Notes\n\n{past.task[:500]}\n"}
            done = {"summary": "Notes are handed over. Connect a real model to get real work done."}
            return DemoTurn("Here are the notes.", (("create_deliverable", note), ("complete_task", done)))
        case _:
            return _finish("Done.")


def _progress(now: str, done: list[str], rest: list[str], percentage: float) -> Call:
    told = {"current_step": now, "completed_steps": done, "remaining_steps": rest, "percentage": percentage}
    return ("report_progress", told)


def _finish(summary: str) -> DemoTurn:
    return DemoTurn(summary, (("complete_task", {"summary": summary}),))


SCRIPTS: dict[str, Script] = {
    "competitive-analysis": competitive_analysis,
    "support-reply": support_reply,
    "launch-plan": launch_plan,
    "assistant": assistant,
}
