"""Tools that are known by name alone, and what a name is worth."""

import pytest

from signoff.policy.risk import Risk, assess
from signoff.policy.tool_classes import operation_of

LOW = """web_search web_browse web_scrape knowledge_base_query query_kb read_file list_files search_memory thread_memory
    data_analysis update_working_memory create_deliverable query_data browse_page"""
HIGH = """write_file delete_file move_file send_email send_message create_task update_task create_issue create_pr
    post_comment slack_send_message email_send github_create_pr crunchbase_query clearbit_enrich db_insert db_update
    db_delete discord_read telegram_list gitlab_get_issue jira_search linear_query notion_search asana_get
    trello_read save_query make_chart http_request"""
# Whoever names a tool may call it what he likes.
LOOKALIKES = """read_x read_everything web_search_and_pay query_kb2 Web_Search WEB_SEARCH web_search\u200b
    w\u0435b_search
    evil__web_search mcp__read_file get_ list_payments search"""


def level(name: str) -> Risk:
    return assess(name, None, operation_of(name), reviewed=True).level


@pytest.mark.parametrize("name", LOW.split())
def test_the_seeds_reading_tools_are_low(name: str) -> None:
    assert level(name) is Risk.LOW


def test_a_screenshot_is_medium() -> None:
    assert level("screenshot_capture") is Risk.MEDIUM


@pytest.mark.parametrize("name", HIGH.split())
def test_the_seeds_acting_tools_and_providers_are_high(name: str) -> None:
    assert level(name) is Risk.HIGH


@pytest.mark.parametrize("name", LOOKALIKES.split())
def test_a_name_that_only_looks_or_begins_like_one_that_reads_is_high(name: str) -> None:
    assert level(name) is Risk.HIGH


@pytest.mark.parametrize("declared", [None, Risk.LOW, Risk.MEDIUM, Risk.HIGH])
@pytest.mark.parametrize("name", ["web_search", "read_file"])
def test_what_nobody_reviewed_is_high_whatever_its_name_and_its_word(name: str, declared: Risk | None) -> None:
    assert assess(name, declared, "read", reviewed=False).level is Risk.HIGH


def test_what_nobody_reviewed_and_calls_itself_critical_is() -> None:
    assert assess("x", Risk.CRITICAL, "read", reviewed=False).level is Risk.CRITICAL


def test_a_provider_is_named_in_the_reason() -> None:
    assert assess("jira_search", None, operation_of("jira_search"), reviewed=True).reasons == (
        "jira_search acts in Jira",
    )
