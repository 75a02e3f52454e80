"""The command line, from the commands themselves."""

from typing import Any

from typer.main import get_command

from markone.cli.commands import app


def pages() -> dict[str, str]:
    # typer may carry a command-line library of its own: nothing here asks for its classes.
    group: Any = get_command(app)
    sections = [section(name, group.commands[name]) for name in sorted(group.commands)]
    return {"commands.md": "\n\n".join(["# Command line", group.help or "", *sections]) + "\n"}


def section(name: str, command: Any) -> str:
    arguments = [p for p in command.params if p.param_type_name == "argument"]
    options = [p for p in command.params if p.param_type_name == "option"]
    usage = " ".join(["markone", name, *(p.name.upper() for p in arguments), "[options]"])
    rows = [f"| `{p.name.upper()}` | {said(getattr(p, 'help', ''))} |" for p in arguments]
    rows += [f"| `{', '.join([*p.opts, *p.secondary_opts])}` | {said(p.help)} |" for p in options]
    table = "| | |\n|---|---|\n" + "\n".join(rows) if rows else ""
    return f"## {name}\n\n{said((command.help or '').strip())}\n\n```text\n{usage}\n```\n\n{table}"


def said(text: str | None) -> str:
    """In a cell of a table: runs/<name>/ is no tag, and a bar ends no column."""
    return (text or "").replace("|", "\\|").replace("<", "\\<").replace("\n", " ")
