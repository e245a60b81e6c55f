"""A plan under review: which steps run, and how they are changed first."""

from typing import Any

from signoff.cli.api_client import Failure
from signoff.cli.dialog.prompt import Back, Prompt
from signoff.cli.terminal.editor import edited_object, field_diff
from signoff.cli.terminal.screen import complain, plain, say, say_lines
from signoff.cli.terminal.typed_values import places, steps_of
from signoff.kit.jsons import JsonObject


class Review:
    """Keeps what the person changed until they approve."""

    def __init__(self, prompt: Prompt, ask: JsonObject) -> None:
        self._prompt, self._steps = prompt, steps_of(ask)
        self._edited = dict[str, JsonObject]()

    def approval(self, chosen: list[int] | None = None) -> JsonObject:
        """The answer: all steps, or those at the chosen places, as they were changed."""
        if chosen is None and not self._edited:
            return {"decision": "approve"}
        taken = [self._steps[place]["id"] for place in (range(len(self._steps)) if chosen is None else chosen)]
        return {"decision": "approve", "steps": [self._step(step_id) for step_id in taken]}

    def choose(self) -> JsonObject:
        """Approve some of the steps."""
        count = len(self._steps)
        while True:
            try:
                chosen = places(self._prompt.words(f"Which steps? 1-{count}, such as 1,3 (Enter to go back): "), count)
                break
            except Failure as failure:
                complain(failure.message)
        for place, step in enumerate(self._steps):
            say(f"  {'[green]✓ runs    [/]' if place in chosen else '[red]✗ left out[/]'} {self._name(place, step)}")
        if self._prompt.press({"y": "[y]es, approve these", "b": "[b]ack"}) == "b":
            raise Back
        return self.approval(chosen)

    def edit(self) -> None:
        """Change the arguments of one step in the editor; they must fit its tool."""
        count, place = len(self._steps), 0
        if count > 1:
            [place, *more] = places(self._prompt.words(f"Which step? 1-{count} (Enter to go back): "), count)
            if more:
                raise Failure("One step at a time.")
        step = self._steps[place]
        before: JsonObject = self._edited[step["id"]] if step["id"] in self._edited else step["arguments"]
        after = self._fitting(step, before)
        if after is None:
            return
        say_lines(field_diff(step["arguments"], after))
        if self._prompt.press({"y": "[y]es, keep this", "b": "[b]ack"}) == "y":
            self._edited[step["id"]] = after
            say(f"Step {place + 1} is changed. Nothing is approved yet: press [bold]a[/] to approve the plan.")

    def _fitting(self, step: JsonObject, before: JsonObject) -> JsonObject | None:
        from signoff.kit.schema.check import problems

        after: Any = before
        while True:
            try:
                after = edited_object(after, "The arguments")
                wrong = problems(step.get("schema") or {}, after, ours=True)
                if not wrong:
                    break
                complain("These arguments are not valid:", [f"{e.path}: {e.message}" for e in wrong])
            except Failure as failure:
                complain(failure.message)
            if self._prompt.press({"e": "[e]dit again", "b": "[b]ack"}) == "b":
                return None
        if after == before:
            say("Nothing was changed.")
        return after if after != before else None

    def _step(self, step_id: str) -> Any:
        return {"id": step_id, "arguments": self._edited[step_id]} if step_id in self._edited else step_id

    def _name(self, place: int, step: JsonObject) -> str:
        changed = " [yellow](changed)[/]" if step["id"] in self._edited else ""
        return f"{place + 1}. {plain(step['tool'])}{changed} [dim]{plain(step.get('purpose') or '')}[/]"
