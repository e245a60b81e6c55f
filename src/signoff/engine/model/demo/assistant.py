"""The demo's assistant: turns any task into a brief, since a script cannot do the task itself."""

import re

from signoff.engine.model.demo.task_words import clause, parts, quoted
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

STEPS = ["Read the task", "Write the brief", "Hand it over"]
FILE = "brief.md"
QUESTIONS = [
    (r"cost|price|budget|cheap|pay|buy|book", "What may it cost at most, and who approves the spending?"),
    (
        r"\b(?:people|team|guests|customers|users|colleagues)\b",
        "Who exactly are the people, and has anybody asked them?",
    ),
    (r"write|draft|text|report|mail|post|summar|notes?\b", "Who will read it, and what should they do afterwards?"),
    (r"find|search|look for|research|compare", "Which sources count, and which are out of the question?"),
    (r"plan|schedule|organi[sz]e|prepare", "Which date cannot move?"),
]
ALWAYS = ["By when is it needed?", "How will you know that it is good?", "What must not happen?"]


def brief(task: str) -> str:
    asked = [question for words, question in QUESTIONS if re.search(words, task, re.IGNORECASE)]
    return "\n".join(
        [
            f"# Brief: {clause(task) or 'the task'}\n",
            MARK,
            f"**Asked for**\n\n{quoted(task)}\n",
            "## What has to be done\n",
            *(f"- [ ] {part}" for part in parts(task)),
            "\n## To be settled first\n",
            *(f"- {question}" for question in [*asked, *ALWAYS][:5]),
            "\n## How to go about it\n",
            "1. Settle the questions above, in one message to whoever asked for it.",
            "2. Do the first item on the list alone, and show it: it shows whether the rest is on track.",
            "3. Do the rest, and put what was decided, and by whom, beside the result.",
            "",
        ]
    )


def document(task: str) -> Document:
    return Document(FILE, "the brief", brief(task))


def assistant(past: Past) -> DemoTurn:
    """For any task: a brief, after one file that somebody approves."""
    if past.may("report_progress"):
        text = "I am the demo model, a script. I cannot do this task, but I can show how an agent would work on it."
        return DemoTurn(text, (progress(STEPS[0], STEPS, 20),))
    if past.may("write_file"):
        why = "A brief says what is asked for and what is still open, before anybody spends time on it."
        write = {"path": FILE, "content": brief(past.task), "_reasoning": why, "_confidence": 0.8}
        text = "I have a brief of the task. I would like to put it into a file."
        return DemoTurn(text, (progress(STEPS[1], STEPS, 60), ("write_file", write)))
    if past.may("create_deliverable"):
        note = hand_over(FILE, brief(past.task), "What is asked for, what is open, how to go about it")
        found = len(parts(past.task))
        count = "one thing" if found == 1 else f"{found} things"
        summary = f"A brief is handed over: {count} to do, and what to settle first. A real model does the work itself."
        return DemoTurn("Here is the brief.", (note, all_done(STEPS), complete(summary)))
    return finish("The brief is ready. A real model does the work itself.")
