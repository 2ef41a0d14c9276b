"""Layered maps: the content of a layer, views through to lower ones, and reads of the lowest from the store."""

from typing import Any

import pytest

from bot.core.state.layers import GroupedMap, LayeredMap


def layer_on(below):
    layer: LayeredMap[Any, Any] = LayeredMap()
    layer.below = below
    return layer


def test_a_layer_sees_through_to_what_lies_below_and_holds_what_it_was_given():
    lowest: LayeredMap[int, str] = LayeredMap()
    lowest[1] = "one"
    layer = layer_on(lowest)
    assert (layer[1], layer.find(1), layer.find(2)) == ("one", "one", None)
    layer[1] = "changed"
    assert (layer[1], lowest[1]) == ("changed", "one")
    assert dict(layer) == {1: "changed"}


def test_the_lowest_layer_reads_each_value_once_and_keeps_it():
    asked = []

    def read(key):
        asked.append(key)
        return "one" if key == 1 else None

    lowest: LayeredMap[int, str] = LayeredMap.reading(read)
    layer = layer_on(lowest)
    assert (layer.find(1), layer[1], lowest.find(1)) == ("one",) * 3
    assert asked == [1]
    assert layer.find(2) is None
    with pytest.raises(KeyError):
        layer[2]
    assert dict(layer) == {}
    assert dict(lowest) == {1: "one"}


def test_what_was_published_while_it_was_read_stays():
    def read(key):
        lowest[key] = "published"
        return "read"

    lowest: LayeredMap[int, str] = LayeredMap.reading(read)
    assert lowest.find(1) == "published"


def test_a_group_is_asked_through_all_layers():
    lowest: GroupedMap[str, int] = GroupedMap(lambda value: (("of", value),))
    lowest.lay({"a": 1, "b": 1, "c": 2})
    middle = layer_on(lowest)
    middle["a"] = 2
    top = layer_on(middle)
    top["d"] = 1
    assert (lowest.under("of", 1), middle.under("of", 1), top.under("of", 1)) == ([1, 1], [1], [1, 1])
    assert middle.under("of", 2) == [2, 2]
