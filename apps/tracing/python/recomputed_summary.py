"""The summary over rows of results, computed from those rows: to hold the server's answers against."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import fmean
from typing import Any

from raw_calls import RawCalls


def recomputed_summary(calls: RawCalls, rows: list[dict]) -> dict:
    """Evaluations in the order in which the rows name them."""
    evaluations: dict[str, list[dict]] = {}
    for row in rows:
        for entry in row["evaluations"]:
            evaluations.setdefault(entry["evaluation_call_id"], []).extend(entry["trials"])
    return {"row_count": len(rows), "evaluations": [of_evaluation(calls.by_id[id_], trials) for id_, trials in evaluations.items()]}


def of_evaluation(root: dict, trials: list[dict]) -> dict:
    return {
        "evaluation_call_id": root["id"],
        "evaluation_ref": root["inputs"]["self"],
        "model_ref": root["inputs"]["model"],
        "display_name": root["display_name"],
        "trace_id": root["trace_id"],
        "started_at": root["started_at"].replace("Z", "+00:00"),
        "trial_count": len(trials),
        "predict_total_tokens": sum_of_known([trial["total_tokens"] for trial in trials]),
        "predict_total_cost": sum_of_known([trial["total_cost"] for trial in trials]),
        "scorer_stats": stats_of(trials),
    }


def sum_of_known(values: list[Any]) -> Any:
    known = [value for value in values if value is not None]
    return sum(known) if known else None


def stats_of(trials: list[dict]) -> list[dict]:
    """What the leaves of all scores come to, by scorer and path."""
    leaves: dict[tuple[str, str | None], list[Any]] = {}
    for trial in trials:
        for scorer, score in trial["scores"].items():
            for path, value in leaves_of(score):
                leaves.setdefault((scorer, path), []).append(value)
    return [{"scorer_key": scorer, "path": path, **of_leaves(values)} for (scorer, path), values in leaves.items()]


def leaves_of(score: Any, path: str | None = None) -> Iterator[tuple[str | None, Any]]:
    """Booleans, numbers and texts with their paths; null and lists are none."""
    if isinstance(score, dict):
        for key, value in score.items():
            yield from leaves_of(value, key if path is None else f"{path}.{key}")
    elif isinstance(score, (bool, int, float, str)):
        yield path, score


def of_leaves(values: list[Any]) -> dict:
    passes = [value for value in values if isinstance(value, bool)]
    numbers = [value for value in values if isinstance(value, (int, float)) and not isinstance(value, bool)]
    kinds = {bool: "binary", int: "continuous", float: "continuous", str: "text"}
    return {
        "value_type": kinds[type(values[0])],
        "trial_count": len(values),
        "numeric_count": len(numbers),
        "numeric_mean": fmean(numbers) if numbers else None,
        "pass_true_count": sum(passes),
        "pass_known_count": len(passes),
        "pass_rate": sum(passes) / len(passes) if passes else None,
        "pass_signal_coverage": len(passes) / len(values),
    }


def rounded(value: Any) -> Any:
    """The same with numbers of nine decimals: sums that are taken in another order differ in their last digits."""
    if isinstance(value, dict):
        return {key: rounded(part) for key, part in value.items()}
    if isinstance(value, list):
        return [rounded(part) for part in value]
    return round(value, 9) if isinstance(value, float) else value
