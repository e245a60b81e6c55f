"""How a browser gets what an agent or a stranger made: as what it is, and powerless."""

from urllib.parse import quote

from signoff.kit.text.deceptive import without_hidden

# No scripts, no styles, no requests, whatever the type says.
POWERLESS = {
    "Content-Security-Policy": "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
}
# A browser shows a PDF with a program of its own, which a sandbox would forbid; it runs no scripts here.
PDF_POLICY = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'"}


def headers_for(media: str, name: str, *, download: bool) -> dict[str, str]:
    """Headers for content of this type, found by looking at it."""
    kind = "attachment" if download else "inline"
    named = {"Content-Disposition": f"{kind}; filename*=UTF-8''{quote(without_hidden(name, '_'))}"}
    return POWERLESS | (PDF_POLICY if media == "application/pdf" else {}) | named
