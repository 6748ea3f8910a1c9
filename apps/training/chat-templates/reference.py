"""What Transformers renders, with one moment for the templates that write the date, and null for what it refuses."""

import copy
import datetime
import json

import transformers.utils.chat_template_utils as reference

NOW = (2026, 1, 2, 3, 4, 5)


class FixedTime(datetime.datetime):
    @classmethod
    def now(cls, tz=None):  # noqa: ARG003
        return cls(*NOW)


reference.datetime = FixedTime


def render(template, case, tokens, takes_text=False):
    """Some templates take arguments of calls only as text, and some write it in another form than an object."""
    forms = [case["messages"], with_arguments_as_text(case["messages"])]
    for messages in reversed(forms) if takes_text else forms:
        try:
            return reference.render_jinja_template(
                [copy.deepcopy(messages)], tools=case["tools"], chat_template=template, add_generation_prompt=case["add_generation_prompt"], **tokens, **case["variables"]
            )[0][0]
        except Exception:  # noqa: BLE001
            pass
    return None


def with_arguments_as_text(messages):
    """As requests have them."""
    changed = copy.deepcopy(messages)
    for message in changed:
        for call in message.get("tool_calls", []):
            call["function"]["arguments"] = json.dumps(call["function"]["arguments"], ensure_ascii=False)
    return changed
