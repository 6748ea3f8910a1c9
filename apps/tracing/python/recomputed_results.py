"""Results of evaluations, computed from raw calls alone: plain and slow, to hold the server's answers against."""

from __future__ import annotations

import base64
import hashlib
import json
from typing import Any

from raw_calls import RawCalls, cost_of, object_of, op_of, seconds_of, tokens_of


def recomputed_rows(calls: RawCalls, evaluations: list[str], *, children: bool = True) -> list[dict]:
    """All rows in the order of their digests, each with its trials by the given evaluations."""
    rows: dict[str, dict] = {}
    for evaluation in evaluations:
        for call in calls.below(evaluation):
            if not op_of(call).endswith(".predict_and_score"):
                continue
            example = call["inputs"]["example"]
            row = rows.setdefault(row_digest(example), {"raw_data_row": example, "evaluations": {}})
            row["evaluations"].setdefault(evaluation, []).append(trial_of(call, calls.below(call["id"]) if children else None))
    return [
        {
            "row_digest": digest,
            "raw_data_row": row["raw_data_row"],
            "evaluations": [{"evaluation_call_id": id_, "trials": trials} for id_, trials in row["evaluations"].items()],
        }
        for digest, row in sorted(rows.items())
    ]


def row_digest(example: Any) -> str:
    """The digest in the reference of a dataset row; of any other value that of its canonical text."""
    if isinstance(example, str) and "/attr/rows/id/" in example:
        return example.rsplit("/", 1)[-1]
    text = example if isinstance(example, str) else json.dumps(example, sort_keys=True)
    digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return digest.replace("-", "X").replace("_", "Y").rstrip("=")


def trial_of(call: dict, children: list[dict] | None) -> dict:
    """A trial by its call and the calls below it; none for one that only its call describes."""
    output = call["output"] or {}
    predict = next((child for child in children or [] if runs(child, call["inputs"]["model"])), None)
    scorers: dict[str, dict] = {}
    scores = dict(output.get("scores", {}))
    for child in children or []:
        if child is not predict:
            scorers.setdefault(score_name(child), child)
            if is_finished_scorer(child):
                scores.setdefault(score_name(child), child["output"])
    latency = seconds_of(predict) if predict else told_latency(output.get("model_latency"))
    return {
        "predict_and_score_call_id": call["id"],
        "predict_call_id": predict["id"] if predict else None,
        "model_output": output.get("output", output.get("model_output")),
        "scores": scores,
        "model_latency_seconds": seconds_of(call) if latency is None and children is None else latency,
        "total_tokens": tokens_of(predict or call),
        "total_cost": cost_of(predict) if predict else None,
        "scorer_call_ids": {name: scorers[name]["id"] for name in scores if name in scorers},
        "genai_span_ref": None,
    }


def told_latency(latency: Any) -> float | None:
    """Evaluations tell a number, typed predictions its mean."""
    return latency["mean"] if isinstance(latency, dict) else latency


def runs(call: dict, model: str) -> bool:
    """Models are objects, which are `self`, or functions, which are the op."""
    return model in (call["inputs"].get("self"), call["op_name"])


def score_name(call: dict) -> str:
    return object_of(call["inputs"].get("self")) or op_of(call).removesuffix(".score")


def is_finished_scorer(call: dict) -> bool:
    """Its result counts also where the call above it broke off before it had all scores."""
    marked = call["attributes"].get("_weave_eval_meta", {}).get("score") or op_of(call).endswith(".score")
    return bool(marked) and call["exception"] is None and call["output"] is not None
