"""The page of the command line, generated from the commands."""

from typing import Any

from typer.main import get_command

from markone.cli.commands import app


def pages() -> dict[str, str]:
    # typer may vendor its command-line library: its classes are not imported here.
    group: Any = get_command(app)
    sections = [command_section(name, group.commands[name]) for name in sorted(group.commands)]
    parts = ["# Command line", escape_help(group.help), command_table(group.commands), *sections]
    return {"commands.md": "\n\n".join(parts) + "\n"}


def command_table(commands: dict[str, Any]) -> str:
    """In the order of `markone --help`: from an experiment to its report, then pictures, tables, the rest."""
    rows = [
        f"| [{name}](#{name}) | {escape_help(split_help(command)[0])} |" for name, command in commands.items()
    ]
    return "| command | what it does |\n|---|---|\n" + "\n".join(rows)


def command_section(name: str, command: Any) -> str:
    arguments = [p for p in command.params if p.param_type_name == "argument"]
    options = [p for p in command.params if p.param_type_name == "option"]
    usage = " ".join(["markone", name, *(p.name.upper() for p in arguments), "[options]"])
    rows = [f"| `{p.name.upper()}` | {escape_help(getattr(p, 'help', ''))} |" for p in arguments]
    rows += [f"| `{', '.join([*p.opts, *p.secondary_opts])}` | {escape_help(p.help)} |" for p in options]
    table = "| | |\n|---|---|\n" + "\n".join(rows) if rows else ""
    text, example = split_help(command)
    lines = "\n".join([usage, *([example] if example else [])])
    return f"## {name}\n\n{escape_help(text)}\n\n```text\n{lines}\n```\n\n{table}"


def split_help(command: Any) -> tuple[str, str]:
    """Return the description and the example that some help texts end with."""
    text, colon, example = " ".join((command.help or "").split()).partition(": markone ")
    return text.rstrip(".") + ".", f"markone {example}" if colon else ""


def escape_help(text: str | None) -> str:
    """Escape a text for a table cell: `<` is not a tag, `|` does not end the column."""
    return (text or "").replace("|", "\\|").replace("<", "\\<").replace("\n", " ")
