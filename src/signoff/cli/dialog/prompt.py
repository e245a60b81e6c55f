"""Asking the person at the keyboard for a key or a line."""

from signoff.cli.dialog.keys import key_line
from signoff.cli.terminal.keyboard import Keyboard
from signoff.cli.terminal.screen import bare, out, plain, say, visible

LEAVE = "qsbn"


class Back(Exception):
    """The person would rather not, and goes back."""


class Prompt:
    """Keys that mean something, and lines of text. The end of the input goes back."""

    def __init__(self, keyboard: Keyboard) -> None:
        self._keyboard = keyboard

    def press(self, found: dict[str, str]) -> str:
        """One of these keys."""
        say(key_line(found) + " ", end="")
        out().file.flush()
        while True:
            try:
                pressed = self._keyboard.key()
            except EOFError:
                pressed = next((key for key in LEAVE if key in found), "")
                if not pressed:
                    say()
                    raise Back from None
            if pressed in found:
                say(f"[bold]{plain(pressed)}[/]")
                return pressed

    def line(self, question: str) -> str:
        """A line, without the space around it; it may be empty."""
        try:
            # Names of an agent's own making may be in it.
            return self._keyboard.line(bare(visible(question))).strip()
        except EOFError:
            say()
            raise Back from None

    def words(self, question: str) -> str:
        """A line with something in it; an empty one goes back."""
        text = self.line(question)
        if not text:
            raise Back
        return text
