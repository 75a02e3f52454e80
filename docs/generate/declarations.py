"""What a declaration may say, from the schema that checks it."""

from typing import Any

from markone.lab.schema import Declaration


def pages() -> dict[str, str]:
    schema = Declaration.model_json_schema()
    text = "# Declarations\n\nEvery key of an experiment's TOML file, as `markone check` knows them.\n\n"
    text += table("The file", schema)
    for name, part in schema.get("$defs", {}).items():
        if "properties" in part:
            text += table(name, part)
    return {"declarations.md": text}


def table(title: str, schema: dict[str, Any]) -> str:
    needed = set(schema.get("required", ()))
    rows = "\n".join(
        f"| `{key}` | {kind(value)} | {'required' if key in needed else default(value)} "
        f"| {value.get('description', '')} |"
        for key, value in schema.get("properties", {}).items()
    )
    about = (schema.get("description") or "").strip()
    return f"## {title}\n\n{about}\n\n| key | type | default | meaning |\n|---|---|---|---|\n{rows}\n\n"


def kind(value: dict[str, Any]) -> str:
    if "$ref" in value:
        return value["$ref"].rsplit("/", 1)[1]
    if "anyOf" in value:
        return " or ".join(kind(one) for one in value["anyOf"])
    if value.get("type") == "array":
        return f"list of {kind(value.get('items', {}))}"
    if "const" in value or "enum" in value:
        return ", ".join(f"`{one}`" for one in value.get("enum", [value.get("const")]))
    return str(value.get("type", "any"))


def default(value: dict[str, Any]) -> str:
    return f"`{value['default']!r}`" if "default" in value else ""
