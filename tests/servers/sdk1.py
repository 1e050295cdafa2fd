"""A small server on PyPI `mcp` 1.x (the handshake era)."""

from mcp.server.fastmcp import Context, FastMCP

server = FastMCP("small")


@server.tool()
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


@server.tool()
def shout(text: str) -> str:
    """Say it loud."""
    return text.upper() + "\u2028!"


@server.tool()
def fail() -> str:
    """Fail, as tools do."""
    raise ValueError("as it should")


@server.tool()
async def count(to: int, context: Context) -> str:
    """Count, and report progress."""
    for number in range(to):
        await context.report_progress(number + 1, to)
    return "counted"


@server.resource("note://{name}")
def note(name: str) -> str:
    """A note."""
    return f"the note {name}"


@server.prompt()
def greet(who: str) -> str:
    """A greeting."""
    return f"Greet {who}."


if __name__ == "__main__":
    server.run()
