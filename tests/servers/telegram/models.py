"""Requests and answers checked against aiogram's models of the Bot API 10.3: names, types and nested fields."""

import json
import types
from collections.abc import Iterator
from functools import cache
from typing import Annotated, Any, Union, get_args, get_origin

import aiogram.methods
from aiogram.methods.base import TelegramMethod
from aiogram.types import ForceReply, InlineKeyboardMarkup, ReplyKeyboardMarkup, ReplyKeyboardRemove, Update
from pydantic import BaseModel, TypeAdapter, ValidationError

from tests.servers.telegram.refusal import Refusal

MODELS: dict[str, type[TelegramMethod[Any]]] = {
    model.__api_method__.lower(): model
    for model in map(aiogram.methods.__dict__.get, aiogram.methods.__all__)
    if isinstance(model, type) and issubclass(model, TelegramMethod) and model is not TelegramMethod
}
MARKUPS: dict[str, type[BaseModel]] = {
    "inline_keyboard": InlineKeyboardMarkup,
    "keyboard": ReplyKeyboardMarkup,
    "remove_keyboard": ReplyKeyboardRemove,
    "force_reply": ForceReply,
}
# Telegram's errors for these missing fields; for others this server names the field.
MISSING = {"chat_id": "chat_id is empty", "text": "message text is empty", "photo": "there is no photo in the request"}


def read_parameters(method: str, raw: dict[str, Any], complaints: list[str]) -> dict[str, Any]:
    """Decode parameters from any kind of body; unknown ones are added to `complaints`."""
    model = MODELS[method.lower()]
    decoded = {name: _decoded(model, name, value, complaints) for name, value in raw.items() if value != ""}
    _check_markup(decoded, complaints)
    try:
        checked = model.model_validate({n: v for n, v in decoded.items() if n != "reply_markup"})
    except ValidationError as error:
        raise _refusal(model, error, complaints) from None
    complaints += [f"{model.__api_method__}: unknown {path}" for path in extras(checked)]
    plain = {n: v if isinstance(v, dict | list) else getattr(checked, n, v) for n, v in decoded.items()}
    return plain


def _decoded(model: type[BaseModel], name: str, value: Any, complaints: list[str]) -> Any:
    if not isinstance(value, str) or not _is_composite(model, name):
        return value
    try:
        return json.loads(value)
    except ValueError:
        complaints.append(f"{model.__name__}.{name} is no JSON: {value[:80]}")
        raise Refusal(400, f"can't parse {name.replace('_', ' ')} JSON object") from None


@cache
def _is_composite(model: type[BaseModel], name: str) -> bool:
    """Return whether the parameter is an object or an array, which a form carries as JSON."""
    field = model.model_fields.get(name)
    return field is not None and any(_is_structure(part) for part in _parts(field.annotation))


def _parts(annotation: Any) -> Iterator[Any]:
    if get_origin(annotation) is Annotated:
        yield from _parts(get_args(annotation)[0])
    elif get_origin(annotation) in (Union, types.UnionType):
        for part in get_args(annotation):
            yield from _parts(part)
    else:
        yield annotation


def _is_structure(part: Any) -> bool:
    return get_origin(part) is list or (isinstance(part, type) and issubclass(part, BaseModel))


def _check_markup(decoded: dict[str, Any], complaints: list[str]) -> None:
    if (markup := decoded.get("reply_markup")) is None:
        return
    kind = next((key for key in MARKUPS if isinstance(markup, dict) and key in markup), None)
    if kind is None:
        complaints.append(f"reply_markup is none of {', '.join(MARKUPS)}: {markup}")
        raise Refusal(400, "object expected as reply markup")
    try:
        complaints += [f"reply_markup: unknown {path}" for path in extras(MARKUPS[kind].model_validate(markup))]
    except ValidationError as error:
        complaints.append(f"reply_markup: {error}")
        raise Refusal(400, "can't parse reply keyboard markup JSON object") from None


def _refusal(model: type[TelegramMethod[Any]], error: ValidationError, complaints: list[str]) -> Refusal:
    first = error.errors()[0]
    name = str(first["loc"][0]) if first["loc"] else ""
    complaints.append(f"{model.__api_method__}: {first['loc']}: {first['msg']}")
    if first["type"] == "missing":
        return Refusal(400, MISSING.get(name, f'parameter "{name}" is required'))
    return Refusal(400, f'can\'t parse "{name}"')


def extras(value: Any, path: str = "") -> Iterator[str]:
    """Yield fields that the models do not know, at any depth."""
    if isinstance(value, BaseModel):
        yield from (f"{path}.{name}".lstrip(".") for name in value.model_extra or ())
        for name in value.model_fields_set & set(type(value).model_fields):
            yield from extras(getattr(value, name), f"{path}.{name}")
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            yield from extras(item, f"{path}[{index}]")


@cache
def _answer_of(method: str) -> TypeAdapter[Any]:
    return TypeAdapter(MODELS[method].__returning__)


def check_answer(method: str, result: Any) -> None:
    """Check the server's own answer by the same models; an error is its bug."""
    _check_own(_answer_of(method.lower()).validate_python(result), f"the answer to {method}")


def check_update(update: dict[str, Any]) -> None:
    _check_own(Update.model_validate(update), f"update {update}")


def _check_own(value: Any, what: str) -> None:
    unknown = list(extras(value))
    assert not unknown, f"the test server is wrong: {what} has unknown fields {unknown}"
