"""Asks for the results of evaluations, and holds an answer against what the raw calls say."""

from __future__ import annotations

from typing import Any

from http_api import post
from raw_calls import RawCalls
from recomputed_results import recomputed_rows
from recomputed_summary import recomputed_summary, rounded


def eval_results(project: str, evaluations: list[str], **options: Any) -> dict:
    return post(f"/v2/{project}/eval_results/query", {"evaluation_call_ids": evaluations, **options})


def assert_results_follow_from_calls(project: str, evaluations: list[str]) -> list[dict]:
    """Compares rows, trials, ids, numbers and the summary, read with and without the calls below trials. Returns the rows."""
    calls = RawCalls(project)
    for children in (True, False):
        rows = recomputed_rows(calls, evaluations, children=children)
        found = eval_results(
            project,
            evaluations,
            include_raw_data_rows=True,
            include_summary=True,
            include_costs=True,
            include_predict_and_score_children=children,
        )
        assert rounded(found["rows"]) == rounded(rows)
        assert found["total_rows"] == len(rows)
        assert rounded(found["summary"]) == rounded(recomputed_summary(calls, rows))
        assert found["warnings"] == []
    return recomputed_rows(calls, evaluations)


def digests(answer: dict) -> list[str]:
    return [row["row_digest"] for row in answer["rows"]]


def trials_by(rows: list[dict], evaluation: str) -> list[list[dict]]:
    """The trials of one evaluation, row by row; empty for a row that it lacks."""
    return [next((entry["trials"] for entry in row["evaluations"] if entry["evaluation_call_id"] == evaluation), []) for row in rows]
