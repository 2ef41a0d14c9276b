"""Checks of messages and commands that Discord makes beyond its OpenAPI description."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from tests.discord_description import description

V2 = 1 << 15
ACTION_ROW, BUTTON, TEXT_INPUT, SECTION, TEXT_DISPLAY, GALLERY, FILE, CONTAINER = 1, 2, 4, 9, 10, 12, 13, 17
SELECTS = {3, 5, 6, 7, 8}
LINK, PREMIUM = 5, 6
ENTRY_POINT = 4
NAME = re.compile(r"[-_'\w]{1,32}")

Json = dict[str, Any]


def walk(components: list[Json]) -> Iterator[Json]:
    """Yield every component at any depth, a section's accessory and a label's field included."""
    for component in components:
        yield component
        yield from walk(component.get("components") or [])
        yield from walk([component[key] for key in ("accessory", "component") if component.get(key)])


def media_of(component: Json) -> list[Json]:
    items = [item["media"] for item in component.get("items") or []]
    return items + [component[key] for key in ("media", "file") if component.get(key)]


def message_complaints(message: Json, names: set[str]) -> list[str]:
    """Yield errors of `message` as it would be after the call; `names` are its attachments."""
    components = message.get("components") or []
    v2 = bool((message.get("flags") or 0) & V2)
    found = list(_layout(message, components) if v2 else _classic(message, components))
    return found + list(_parts(list(walk(components)), names))


def _layout(message: Json, components: list[Json]) -> Iterator[str]:
    for field in ("content", "embeds", "poll", "sticker_ids"):
        if message.get(field):
            yield f"{field}: The '{field}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2"
    if not components:
        yield "components: This field is required"
    if sum(1 for _ in walk(components)) > 40:
        yield "components: Must be 40 or fewer in total, nested ones included"
    if sum(len(part.get("content") or "") for part in walk(components) if part["type"] == TEXT_DISPLAY) > 4000:
        yield "components: The text of all components must be 4000 or fewer in length"


def _classic(message: Json, components: list[Json]) -> Iterator[str]:
    if len(message.get("content") or "") > 2000:
        yield "content: Must be 2000 or fewer in length."
    if len(components) > 5:
        yield "components: Must be between 1 and 5 in length."
    if any(component["type"] != ACTION_ROW for component in components):
        yield "components: Only action rows without MessageFlags.IS_COMPONENTS_V2"
    if sum(map(_length_of_embed, message.get("embeds") or [])) > 6000:
        yield "embeds: Embed size exceeds maximum size of 6000"


def _length_of_embed(embed: Json) -> int:
    said = [embed.get("title"), embed.get("description")]
    said += [(embed.get("footer") or {}).get("text"), (embed.get("author") or {}).get("name")]
    said += [text for field in embed.get("fields") or [] for text in (field.get("name"), field.get("value"))]
    return sum(len(text or "") for text in said)


def _parts(parts: list[Json], names: set[str]) -> Iterator[str]:
    for custom_id, times in Counter(p["custom_id"] for p in parts if p.get("custom_id")).items():
        if times > 1:
            yield f"components: Component custom id cannot be duplicated: {custom_id}"
    for row in (part for part in parts if part["type"] == ACTION_ROW):
        kinds = [inner["type"] for inner in row["components"]]
        if len(kinds) > 5 or (SELECTS & set(kinds) and len(kinds) > 1):
            yield "components: The row is too wide: five buttons or one select"
    for button in (part for part in parts if part["type"] == BUTTON):
        yield from _button(button)
    for select in (part for part in parts if part["type"] == 3):
        values = [option["value"] for option in select.get("options") or []]
        if not values or len(values) != len(set(values)):
            yield f"components: The options of {select['custom_id']} must be there and differ"
    for media in (media for part in parts for media in media_of(part)):
        scheme, _, name = media["url"].partition("://")
        if scheme == "attachment" and name not in names:
            yield f"components: The referenced attachment was not found: {name}"


def _button(button: Json) -> Iterator[str]:
    named = {"url": button.get("url"), "sku_id": button.get("sku_id"), "custom_id": button.get("custom_id")}
    wanted = {LINK: "url", PREMIUM: "sku_id"}.get(button["style"], "custom_id")
    if [key for key, value in named.items() if value] != [wanted]:
        yield f"components: A button of style {button['style']} has a {wanted} and nothing else"
    if button["style"] != PREMIUM and not button.get("label") and not button.get("emoji"):
        yield f"components: The button {named[wanted]} has neither a label nor an emoji"


def modal_complaints(modal: Json) -> list[str]:
    fields = [part["custom_id"] for part in walk(modal["components"]) if part.get("custom_id")]
    wrong = [
        f"data.components: Component custom id cannot be duplicated: {f}" for f, n in Counter(fields).items() if n > 1
    ]
    if len(modal["components"]) > 5:
        wrong.append("data.components: Must be between 1 and 5 in length.")
    return wrong


def command_complaints(commands: list[Json]) -> list[str]:
    found = [
        f"name: {kind} command {name} is there {times} times"
        for (kind, name), times in Counter((c.get("type") or 1, c["name"]) for c in commands).items()
        if times > 1
    ]
    for kind, most in ((1, 100), (2, 15), (3, 15), (ENTRY_POINT, 1)):
        if sum((command.get("type") or 1) == kind for command in commands) > most:
            found.append(f"commands: More than {most} of type {kind}")
    for command in commands:
        found += [f"{command['name']}: {wrong}" for wrong in _command(command)]
        if ("handler" in command) is not (command.get("type") == ENTRY_POINT):
            found.append(f"{command['name']}: An Entry Point command has a handler, and no other")
    return found


def _command(command: Json) -> Iterator[str]:
    if (command.get("type") or 1) == 1:
        yield from _named(command)
        yield from _options(command.get("options") or [])
        if _size(command) > 8000:
            yield "Names, descriptions and values are more than 8000 characters"


def _size(node: Json) -> int:
    own = len(node["name"]) + len(node.get("description") or "") + len(str(node.get("value") or ""))
    return own + sum(map(_size, [*(node.get("options") or []), *(node.get("choices") or [])]))


def _named(node: Json) -> Iterator[str]:
    names = [node["name"], *(node.get("name_localizations") or {}).values()]
    for name in names:
        if not NAME.fullmatch(name) or name != name.lower():
            yield f"The name {name!r} is not one of lower-case letters, digits, - and _"
    if not node.get("description"):
        yield f"{node['name']} has no description"
    for field in ("name_localizations", "description_localizations"):
        if strange := set(node.get(field) or {}) - locales():
            yield f"{field} of {node['name']} has locales that Discord does not know: {sorted(strange)}"


def locales() -> set[str]:
    return set(description()["components"]["schemas"]["AvailableLocalesEnum"]["enum"])


def _options(options: list[Json]) -> Iterator[str]:
    names = [option["name"] for option in options]
    if len(names) != len(set(names)):
        yield f"Options of the same name among {names}"
    required = [bool(option.get("required")) for option in options]
    if required != sorted(required, reverse=True):
        yield "Required options must be placed before non-required options"
    if 0 < sum(option["type"] in (1, 2) for option in options) < len(options):
        yield "Subcommands and other options cannot stand side by side"
    for option in options:
        yield from _named(option)
        yield from _options(option.get("options") or [])
        if option.get("autocomplete") and option.get("choices"):
            yield f"{option['name']} has both choices and autocomplete"
        low, high = option.get("min_value"), option.get("max_value")
        if low is not None and high is not None and low > high:
            yield f"{option['name']} has a minimum above its maximum"
