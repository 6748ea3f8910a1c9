"""Chat templates as public models of the families have them, with their special tokens."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from template_packages import read_template

VECTORS = Path(__file__).parents[1] / "src/tokenizer/vectors/chat-templates"
CHAT_ML = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")


@dataclass(frozen=True)
class FamilyTemplate:
    text: str
    begin: str
    """Of a text."""
    end: str
    """Of a turn."""
    special: tuple[str, ...]
    """All that the template writes, the padding first."""


@cache
def family_template(name: str) -> FamilyTemplate | None:
    """That of the model with this name; None where it keeps the template that it has."""
    match name:
        case "llama":
            special = ("<|end_of_text|>", "<|begin_of_text|>", "<|eot_id|>", "<|start_header_id|>", "<|end_header_id|>")
            return FamilyTemplate(llama_text(), special[1], special[2], special)
        case "mistral":
            return kept("mistral-nemo", ("<pad>", "<s>", "</s>", "[INST]", "[/INST]"))
        case "qwen2":
            return kept("qwen2.5", CHAT_ML)
        case "qwen3" | "smollm3":
            return kept(name, CHAT_ML)
        case _:
            return None


def kept(name: str, special: tuple[str, ...]) -> FamilyTemplate:
    """One whose licence lets it lie here."""
    tokens = json.loads((VECTORS / "families.json").read_text())[name]
    return FamilyTemplate((VECTORS / f"{name}.jinja").read_text(), tokens["bos_token"], tokens["eos_token"], special)


def llama_text() -> str:
    with TemporaryDirectory() as folder:
        return read_template("trl", "llama3_1.jinja", Path(folder))
