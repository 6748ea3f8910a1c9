"""Saved views: filters, orders and columns over calls that are published as objects."""

from __future__ import annotations

from typing import Any

import pytest
import weave


@weave.op
def square(n: int) -> dict:
    if n < 0:
        raise ValueError("negative")
    return {"value": n * n, "label": f"number {n}"}


@weave.op
def other() -> None: ...


@pytest.fixture
def squares(client: Any) -> Any:
    for n in range(12):
        square(n)
    with pytest.raises(ValueError, match="negative"):
        square(-1)
    other()
    client.flush()
    return client


def numbers(view: weave.SavedView, **options: Any) -> list[int]:
    return [call.inputs["n"] for call in view.get_calls(all_columns=True, **options)]


def test_a_view_comes_back_as_it_was_saved(squares: Any) -> None:
    view = weave.SavedView("traces", "Squares")
    view.add_columns("id", "inputs.n", "output.value").pin_column_left("id").page_size(50)
    view.save()
    again = weave.SavedView.load(view.ref.uri())
    assert (again.label, again.view_type) == ("Squares", "traces")
    assert [column["label"] for column in again.get_table_columns()] == ["id", "inputs.n", "output.value"]
    assert again.base.definition.page_size == 50
    [call] = again.get_calls(offset=11, limit=1)
    assert (call.inputs["n"], call.output["value"]) == (11, 121)
    assert "Squares" in again.to_rich_table_str()
    again.rename("Renamed").save()
    assert weave.ref(again.ref.uri()).get().label == "Renamed"


def test_a_view_filters_and_sorts(squares: Any) -> None:
    view = weave.SavedView().filter_op("square").add_filter("inputs.n", ">=", 9).add_sort("inputs.n", "desc")
    assert numbers(view) == [11, 10, 9]
    # That a client reads a saved filter again is not tested: it refuses what it has written itself.
    assert numbers(view.save()) == [11, 10, 9]


@pytest.mark.parametrize(
    ("field", "operator", "value", "expected"),
    [
        ("inputs.n", "=", 3, [3]),
        ("inputs.n", "!=", 3, [0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, -1]),
        ("inputs.n", "<", 2, [0, 1, -1]),
        ("inputs.n", "<=", 1, [0, 1, -1]),
        ("inputs.n", ">", 10, [11]),
        ("output.label", "equals", "number 4", [4]),
        ("output.label", "in", "number 4, number 5", [4, 5]),
        ("output.label", "contains", "number 1", [1, 10, 11]),
        ("exception", "contains", "negative", [-1]),
        ("summary.weave.status", "equals", "error", [-1]),
        ("started_at", "after", "2020-01-01", [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, -1]),
        ("started_at", "before", "2020-01-01", []),
        ("output.label", "is empty", None, [-1]),
    ],
)
@pytest.mark.parametrize("client", ["complete"], indirect=True)
def test_each_operator_of_a_view_selects(squares: Any, field: str, operator: str, value: Any, expected: list[int]) -> None:
    view = weave.SavedView().filter_op("square").add_filter(field, operator, value)
    assert numbers(view) == expected
