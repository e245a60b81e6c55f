"""Tools that work on data: questions to files, and charts of the answers."""

from signoff.tools.builtin.data.chart import CHARTS
from signoff.tools.builtin.data.query import QUERIES
from signoff.tools.registry import Tool

DATA: list[Tool] = [*QUERIES, *CHARTS]
