"""Datasets: tables that the client uploads in pieces, and their rows as references."""

from __future__ import annotations

import logging
from typing import Any

import pytest
import weave

# Above 1000 rows the client sends a table in pieces and puts it together by digests.
ROWS = [{"id": index, "question": f"What is {index}? 世界", "exact": 1.0, "tags": ["a", {"deep": None}]} for index in range(2_300)]


@weave.op
def answer(example: dict) -> str:
    return str(example["id"])


def plain(row: Any) -> Any:
    """A row as it was written: without what the client adds."""
    if isinstance(row, dict):
        return {key: plain(value) for key, value in row.items()}
    return [plain(value) for value in row] if isinstance(row, list) else row


def published(name: str, rows: list[dict]) -> Any:
    ref = weave.publish(weave.Dataset(name=name, rows=rows))
    return weave.ref(ref.uri()).get()


def test_a_dataset_comes_back_row_by_row(client: Any) -> None:
    dataset = published("questions", ROWS)
    assert len(dataset.rows) == len(ROWS)
    assert [plain(dict(row)) for row in dataset.rows] == ROWS
    assert plain(dict(dataset.rows[1_500])) == ROWS[1_500]
    assert isinstance(dataset.rows[0]["exact"], float)


def test_a_row_is_recorded_as_a_reference(client: Any) -> None:
    dataset = published("questions", ROWS[:3])
    answer(dataset.rows[1])
    client.flush()
    [call] = client.get_calls()
    ref = call.inputs["example"].ref
    assert "/attr/rows/id/" in ref.uri()
    assert plain(dict(weave.ref(ref.uri()).get())) == ROWS[1]


def test_rows_are_added_to_a_dataset(client: Any) -> None:
    dataset = published("growing", ROWS[:1_200])
    longer = dataset.add_rows([{"id": -1}, {"id": -2}])
    assert [row["id"] for row in weave.ref(longer.ref.uri()).get().rows] == [*range(1_200), -1, -2]
    assert len(weave.ref(dataset.ref.uri()).get().rows) == 1_200


def test_rows_are_selected_and_saved_as_a_dataset_of_their_own(client: Any) -> None:
    dataset = published("questions", ROWS[:1_200])
    chosen = dataset.select([1_100, 3, 3])
    assert [row["id"] for row in chosen.rows] == [1_100, 3, 3]
    saved = weave.ref(weave.publish(chosen, name="chosen").uri()).get()
    assert [plain(dict(row)) for row in saved.rows] == [ROWS[1_100], ROWS[3], ROWS[3]]
    assert len(weave.ref(dataset.ref.uri()).get().rows) == 1_200


def test_calls_become_rows_of_a_dataset(client: Any) -> None:
    for row in ROWS[:3]:
        answer(row)
    client.flush()
    dataset = weave.Dataset.from_calls(client.get_calls())
    saved = weave.ref(weave.publish(dataset, name="recorded").uri()).get()
    assert [(row["inputs"]["example"]["question"], row["output"]) for row in saved.rows] == [(ROWS[n]["question"], str(n)) for n in range(3)]


def test_digests_of_the_client_are_those_of_the_server(
    client: Any, project: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    weave.finish()
    monkeypatch.setenv("WEAVE_ENABLE_CLIENT_SIDE_DIGESTS", "true")
    again = weave.init(project)
    inner = weave.publish({"temperature": 0.5}, "model")
    with caplog.at_level(logging.WARNING):
        dataset = published("referring", [{**row, "model": inner.uri()} for row in ROWS[:1_100]])
        again.flush()
    assert len(dataset.rows) == 1_100
    assert [record.getMessage() for record in caplog.records if "digest" in record.getMessage().lower()] == []
