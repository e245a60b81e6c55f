"""The class of tools that are known by name alone: those of agents that live elsewhere. From the tables of the seeds.

A name is compared to the letter. That it begins like one that reads says nothing about what it does.
"""

OPERATIONS = {
    "web_search": "search",
    "web_browse": "read",
    "web_scrape": "read",
    "query_kb": "query",
    "knowledge_base_query": "query",
    "read_file": "read",
    "list_files": "read",
    "search_memory": "search",
    "thread_memory": "read",
    "data_analysis": "query",
    "update_working_memory": "own_means",
    "create_deliverable": "own_means",
    "screenshot_capture": "screenshot",
    "query_data": "query",
    "browse_page": "read",
    "screenshot_page": "screenshot",
    "write_file": "create",
    "save_query": "create",
    "make_chart": "create",
    "http_request": "external_api_call",
    "delete_file": "delete",
    "move_file": "modify",
    "restore_file": "modify",
    "send_email": "send_email",
    "email_send": "send_email",
    "send_message": "send_message",
    "create_task": "create",
    "update_task": "modify",
    "create_issue": "create",
    "create_pr": "create",
    "post_comment": "send_message",
    "crunchbase_query": "external_api_call",
    "clearbit_enrich": "external_api_call",
    "db_insert": "create",
    "db_update": "modify",
    "db_delete": "delete",
}
PROVIDERS = {
    "slack": "Slack",
    "discord": "Discord",
    "telegram": "Telegram",
    "github": "GitHub",
    "gitlab": "GitLab",
    "jira": "Jira",
    "linear": "Linear",
    "notion": "Notion",
    "asana": "Asana",
    "trello": "Trello",
}


def operation_of(tool: str) -> str:
    """The operation type of a tool by its name; empty where the name says nothing."""
    return OPERATIONS.get(tool) or ("external_api_call" if provider_of(tool) else "")


def provider_of(tool: str) -> str | None:
    """The outside service that a tool belongs to by its name, such as `slack_send_message`."""
    return PROVIDERS.get(tool.partition("_")[0])
