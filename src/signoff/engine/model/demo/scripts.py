"""What the demo model plays. Pure: from how far it has come to what it says and does next."""

from collections.abc import Callable

from signoff.engine.model.demo import assistant, comparison, launch, support
from signoff.engine.model.demo.steps import refunds, reports, tickets
from signoff.engine.model.demo.turns import DemoTurn, Document, Past, Script, complete, finish, hand_over

ANSWER = DemoTurn(
    "I am the demo's scripted model, so I cannot really answer. With a real model I would read my transcript and "
    "answer your question here; nothing would be decided by it."
)
SCRIPTS: dict[str, tuple[Script, Callable[[str], Document]]] = {
    "competitive-analysis": (comparison.competitive_analysis, comparison.document),
    "support-reply": (support.support_reply, support.document),
    "launch-plan": (launch.launch_plan, launch.document),
    "assistant": (assistant.assistant, assistant.document),
}
# Of the shipped workflows: they ask nobody and plan nothing, they hand on an output.
STEPS: dict[str, Script] = {
    "ticket-analyzer": tickets.ticket_analyzer,
    "customer-data": tickets.customer_data,
    "solution-writer": tickets.solution_writer,
    "refund-calculator": refunds.refund_calculator,
    "refund-letter": refunds.refund_letter,
    "report-writer": reports.report_writer,
}


def play(name: str, past: Past) -> DemoTurn:
    """The next turn of a script; an unknown name gets the one for any task."""
    script, document = SCRIPTS.get(name, SCRIPTS["assistant"])
    if not past.tools:
        # Somebody only asks about the work.
        return ANSWER
    if "clarification_complete" in past.tools:
        return _clarify(past)
    if name in STEPS:
        return STEPS[name](past)
    if "propose_plan" in past.tools and script is not launch.launch_plan:
        return _plan(past, document(past.task))
    return script(past)


def _clarify(past: Past) -> DemoTurn:
    if past.may("ask_question"):
        question = {"question": "What matters most to you in the result?", "responseType": "text"}
        return DemoTurn("Before I start:", (("ask_question", question),))
    return DemoTurn("Thank you, that is clear.", (("clarification_complete", {}),))


def _plan(past: Past, document: Document) -> DemoTurn:
    """A script that acts by itself, for whoever wants to see a plan first."""
    if past.may("propose_plan"):
        step = {
            "id": "write",
            "tool": "write_file",
            "arguments": {"path": document.path, "content": document.content},
            "purpose": f"Write {document.title}, for you to read",
        }
        plan = {"summary": f"Write {document.title} into a file, then hand it over.", "steps": [step]}
        return DemoTurn("One step. You decide whether it happens.", (("propose_plan", plan),))
    if not past.worked("propose_plan"):
        return finish("No step was approved, so nothing was done.")
    if past.may("create_deliverable"):
        note = hand_over(document.path, document.content, "As the plan said")
        return DemoTurn("It is done.", (note, complete(f"As planned, {document.title} is written.")))
    return finish("The plan is carried out.")
