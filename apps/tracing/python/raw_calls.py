"""All calls of a project as the server stores them, and what stands in one."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from http_api import post_lines


class RawCalls:
    """The calls of a project, with their costs, by id and by parent. Read once, when it is made."""

    def __init__(self, project: str) -> None:
        found = post_lines("/calls/stream_query", {"project_id": project, "include_costs": True})
        self.by_id: dict[str, dict] = {call["id"]: call for call in found}

    def below(self, call_id: str | None) -> list[dict]:
        """The children of a call, or with none those without a parent, in the order of their start."""
        children = [call for call in self.by_id.values() if call["parent_id"] == call_id]
        return sorted(children, key=lambda call: (call["started_at"], call["id"]))


def op_of(call: dict) -> str:
    """`weave:///entity/project/op/name:digest` gives `name`."""
    return call["op_name"].rsplit("/", 1)[-1].split(":")[0]


def seconds_of(call: dict) -> float | None:
    """From start to end; none while the call runs."""
    return None if call["ended_at"] is None else (time_of(call["ended_at"]) - time_of(call["started_at"])).total_seconds()


def time_of(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def tokens_of(call: dict) -> int | None:
    """Tokens over all models; none where no model tells any."""
    totals = [counts["total_tokens"] for counts in call["summary"].get("usage", {}).values() if "total_tokens" in counts]
    return sum(totals) if totals else None


def cost_of(call: dict) -> float | None:
    """What the tokens cost over all models; none where no model has a price."""
    costs = call["summary"]["weave"].get("costs", {}).values()
    kinds = ("prompt_tokens", "completion_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
    return sum(cost.get(f"{kind}_total_cost") or 0 for cost in costs for kind in kinds) if costs else None


def object_of(ref: Any) -> str | None:
    """Name of the object of a reference; none for any other value."""
    return ref.split("/object/")[1].split(":")[0] if isinstance(ref, str) and "/object/" in ref else None
