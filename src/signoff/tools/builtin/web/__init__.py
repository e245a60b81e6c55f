"""Tools that reach out to the web: requests, searches, pages in a browser."""

from signoff.kit.settings import Settings
from signoff.tools.builtin.web.browse import PAGES
from signoff.tools.builtin.web.fetch import FETCHED
from signoff.tools.builtin.web.http_request import REQUESTS
from signoff.tools.builtin.web.search import search_tool
from signoff.tools.registry import Tool


def web_tools(settings: Settings | None) -> list[Tool]:
    return [*FETCHED, *REQUESTS, search_tool(settings), *PAGES]
