"""Well-known MCP servers: settings to start from, and where their own words are."""

from pydantic import BaseModel, Field

from signoff.kit.jsons import JsonObject


class KnownServer(BaseModel):
    slug: str
    name: str
    description: str
    settings: JsonObject = Field(description="`${name}` is a secret to give; what stands in <…> is to be replaced.")
    secrets: list[str] = Field(description="The secrets that the settings name.")
    runs_command: bool = Field(description="It runs a command on the server: only installation admins can add it.")
    docs: str = Field(description="Where to get what it needs.")


class KnownServerList(BaseModel):
    items: list[KnownServer]
    next_cursor: str | None = None
    total: int


def _npm(slug: str, name: str, package: str, about: str, docs: str, *args: str, **env: str) -> KnownServer:
    settings: JsonObject = {"transport": "stdio", "command": "npx", "args": ["-y", package, *args]}
    settings |= {"env": env} if env else {}
    return KnownServer(
        slug=slug,
        name=name,
        description=about,
        settings=settings,
        secrets=[value[2:-1] for value in env.values() if value.startswith("${")],
        runs_command=True,
        docs=docs,
    )


def _web(slug: str, name: str, url: str, about: str, docs: str, *, token: bool = True) -> KnownServer:
    settings: JsonObject = {"transport": "http", "url": url}
    settings |= {"headers": {"Authorization": "Bearer ${token}"}} if token else {}
    needs = ["token"] if token else []
    return KnownServer(
        slug=slug, name=name, description=about, settings=settings, secrets=needs, runs_command=False, docs=docs
    )


_OFFICIAL = "@modelcontextprotocol/server-"
KNOWN_SERVERS = (
    _npm(
        "files",
        "Files",
        f"{_OFFICIAL}filesystem",
        "Read and write files in one folder of the server.",
        "Replace the folder. Agents see nothing outside of it.",
        "</folder/to/share>",
    ),
    _npm(
        "memory",
        "Memory",
        f"{_OFFICIAL}memory",
        "A graph of facts that agents keep and look up.",
        "MEMORY_FILE_PATH is the file that it is kept in.",
        MEMORY_FILE_PATH="</folder>/memory.json",
    ),
    _npm(
        "everything",
        "Everything",
        f"{_OFFICIAL}everything",
        "A demonstration of all that MCP can do; touches nothing.",
        "To try connections out.",
    ),
    _npm(
        "sequential-thinking",
        "Sequential thinking",
        f"{_OFFICIAL}sequential-thinking",
        "Lets an agent think in numbered steps and revise them.",
        "Needs nothing.",
    ),
    _web(
        "github",
        "GitHub",
        "https://api.githubcopilot.com/mcp/",
        "Repositories, issues, pull requests and actions.",
        "The token is a personal access token: github.com, Settings, Developer settings.",
    ),
    _npm(
        "gitlab",
        "GitLab",
        "@zereight/mcp-gitlab",
        "Projects, issues and merge requests.",
        "The token is a personal access token with the scope api.",
        GITLAB_PERSONAL_ACCESS_TOKEN="${token}",  # noqa: S106
        GITLAB_API_URL="https://gitlab.com/api/v4",
    ),
    _npm(
        "notion",
        "Notion",
        "@notionhq/notion-mcp-server",
        "Pages and databases of a workspace.",
        "The token is the secret of an internal integration: notion.so/my-integrations.",
        NOTION_TOKEN="${token}",  # noqa: S106
    ),
    _web(
        "linear",
        "Linear",
        "https://mcp.linear.app/mcp",
        "Issues, projects and comments.",
        "The token is an API key: Linear, Settings, Security and access.",
    ),
    _web(
        "sentry",
        "Sentry",
        "https://mcp.sentry.dev/mcp",
        "Errors, their traces and releases.",
        "The token is a user auth token: Sentry, User settings.",
    ),
    _web(
        "stripe",
        "Stripe",
        "https://mcp.stripe.com",
        "Customers, payments and invoices.",
        "The token is a restricted API key: give it no more than the agent needs.",
    ),
    _web(
        "huggingface",
        "Hugging Face",
        "https://huggingface.co/mcp",
        "Models, datasets and papers.",
        "The token is an access token of your account.",
    ),
    _npm(
        "playwright",
        "Browser",
        "@playwright/mcp@latest",
        "A browser that the agent drives.",
        "Needs a browser on the server: npx playwright install chromium.",
        "--headless",
    ),
)
