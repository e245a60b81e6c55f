"""Text that a command is given as a file, or as `-` on its standard input."""

import sys
from pathlib import Path

from signoff.cli.api_client import Failure


def read_text(file: Path) -> str:
    try:
        return sys.stdin.read() if str(file) == "-" else file.read_text(encoding="utf-8")
    except OSError as error:
        raise Failure(f"Cannot read {file}: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise Failure(f"{file} is not UTF-8 text.") from None


def name_of(file: Path) -> str:
    return "<stdin>" if str(file) == "-" else str(file)
