"""Lengths of time as people say them. Pure."""


def in_words(seconds: float) -> str:
    if seconds < 120:
        return _counted(f"{seconds:g}", "second")
    minutes = round(seconds / 60)
    return f"{minutes} minutes" if minutes < 120 else f"{minutes / 60:g} hours"


def _counted(number: str, unit: str) -> str:
    return f"{number} {unit}" if number == "1" else f"{number} {unit}s"
