"""Discord's own OpenAPI description, for checking calls and answers."""

from __future__ import annotations

import functools
import json
import re
from pathlib import Path
from typing import Any

from jsonschema_rs import Draft202012Validator, Registry, ValidationError

FIXTURE = Path(__file__).parent / "fixtures" / "discord-openapi-2026-07-18.json"
# Discord takes these in either form, its description names one: the library sends ids of uploads and of channels as
# numbers and permissions as text.
ID = {"type": ["string", "integer"], "pattern": "^(0|[1-9][0-9]*)$", "minimum": 0}
BITS = {"type": ["string", "integer", "null"], "pattern": "^(0|[1-9][0-9]*)$", "minimum": 0}


def request_complaints(method: str, path: str, body: Any) -> list[str]:
    """Return errors in the JSON body of a call to `path` (with ids or as a template); none for an unknown path."""
    operation = _operation(method, path)
    content = (operation or {}).get("requestBody", {}).get("content", {})
    if body is None or "application/json" not in content:
        return []
    return _complaints(f"{_template(path)}|{method}|request", content["application/json"]["schema"], body)


def answer_complaints(method: str, path: str, status: int, body: Any) -> list[str]:
    """Return errors in an answer; the loopback server is checked by the same description."""
    answers = (_operation(method, path) or {}).get("responses", {})
    if str(status) not in answers:
        return [f"{method} {path} never answers {status}"] if answers and status < 300 else []
    content = answers[str(status)].get("content", {})
    if "application/json" not in content:
        return []
    return _complaints(f"{_template(path)}|{method}|{status}", content["application/json"]["schema"], body)


def is_known(method: str, path: str) -> bool:
    return _operation(method, path) is not None


@functools.cache
def _raw() -> dict[str, Any]:
    read: dict[str, Any] = json.loads(FIXTURE.read_text("utf-8"))
    return read


@functools.cache
def description() -> dict[str, Any]:
    described: dict[str, Any] = _by_type(_raw())
    described["components"]["schemas"]["SnowflakeType"] = ID
    overwrites = described["paths"]["/channels/{channel_id}/permissions/{overwrite_id}"]["put"]["requestBody"]
    for schema in (
        described["components"]["schemas"]["ChannelPermissionOverwriteRequest"],
        overwrites["content"]["application/json"]["schema"],
    ):
        schema["properties"]["allow"] = schema["properties"]["deny"] = BITS
    return described


@functools.cache
def _registry() -> Registry:
    return Registry([("urn:discord", description())])


@functools.cache
def _patterns() -> list[tuple[str, re.Pattern[str]]]:
    """Return the templates, those with the fewest placeholders first: `/users/@me` is not a user called `@me`."""
    templates = sorted(description()["paths"], key=lambda template: template.count("{"))
    return [(template, re.compile(re.sub(r"\{\w+\}", "[^/]+", template))) for template in templates]


@functools.cache
def _template(path: str) -> str | None:
    if path in description()["paths"]:
        return path
    return next((template for template, pattern in _patterns() if pattern.fullmatch(path)), None)


def _operation(method: str, path: str) -> dict[str, Any] | None:
    template = _template(path.partition("?")[0])
    return None if template is None else description()["paths"][template].get(method.lower())


VALIDATORS: dict[str, Draft202012Validator] = {}


def _complaints(key: str, schema: dict[str, Any], body: Any) -> list[str]:
    if key not in VALIDATORS:
        VALIDATORS[key] = Draft202012Validator(_absolute(_by_type(schema)), registry=_registry())
    return [_said(error) for error in VALIDATORS[key].iter_errors(body)]


def _said(error: ValidationError) -> str:
    where = ".".join(str(step) for step in error.instance_path) or "body"
    said = error.message
    return f"{where}: {said if len(said) < 300 else f'{said[:100]} ... {said[-100:]}'}"


def _absolute(schema: Any) -> Any:
    """Make references absolute, because the schema of one operation is separate from the document."""
    if isinstance(schema, dict):
        return {k: f"urn:discord{v}" if k == "$ref" else _absolute(v) for k, v in schema.items()}
    return [_absolute(part) for part in schema] if isinstance(schema, list) else schema


def _by_type(schema: Any) -> Any:
    """Replace unions with a `type` by if-then, which gives precise errors and is fast."""
    if isinstance(schema, list):
        return [_by_type(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    for union in ("oneOf", "anyOf"):
        rest = {key: value for key, value in schema.items() if key != union}
        if union in schema and all("const" in branch for branch in schema[union]):
            return rest | {"enum": [branch["const"] for branch in schema[union]]}
        types = [_types_of(branch) for branch in schema.get(union, [])]
        if len(types) > 1 and all(types):
            return rest | _choice(types, schema[union])
    return {key: _by_type(value) for key, value in schema.items()}


def _types_of(branch: dict[str, Any]) -> list[int]:
    name = branch.get("$ref", "").removeprefix("#/components/schemas/")
    meant = _raw()["components"]["schemas"].get(name, {})
    enum = meant.get("properties", {}).get("type", {}).get("enum", [])
    return enum if "type" in meant.get("required", ()) else []


def _choice(types: list[list[int]], branches: list[dict[str, Any]]) -> dict[str, Any]:
    cases = [
        {"if": {"properties": {"type": {"enum": enum}}}, "then": branch}
        for enum, branch in zip(types, branches, strict=True)
    ]
    known = sorted(value for enum in types for value in enum)
    return {"required": ["type"], "properties": {"type": {"enum": known}}, "allOf": cases}
