"""Tokenizers of merged bytes that split texts as public models do: one for each way of splitting that llama.cpp has a name for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from family_templates import FamilyTemplate
from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers
from tokenizers.pre_tokenizers import ByteLevel, Digits, PreTokenizer, Sequence, Split

SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>", "<tools>", "</tools>", "<tool_call>", "</tool_call>"]
# The models have 512 tokens; the last ids stay without one, as in many public models.
SIZE = 490

CONTRACTIONS = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"
LETTERS = r"[^\r\n\p{L}\p{N}]?\p{L}+"
MARKS = r" ?[^\s\p{L}\p{N}]+"
ENDS = r"|\s*[\r\n]+|\s+(?!\S)|\s+"
UPPER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]"
LOWER = r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
BEFORE = r"[^\r\n\p{L}\p{N}]?"
LLAMA_3 = rf"{CONTRACTIONS}|{LETTERS}|\p{{N}}{{1,3}}|{MARKS}[\r\n]*{ENDS}"
QWEN = rf"{CONTRACTIONS}|{LETTERS}|\p{{N}}|{MARKS}[\r\n]*{ENDS}"
TEKKEN = rf"{BEFORE}{UPPER}*{LOWER}+|{BEFORE}{UPPER}+{LOWER}*|\p{{N}}|{MARKS}[\r\n/]*{ENDS}"


def split_by(pattern: str) -> PreTokenizer:
    return Sequence([Split(Regex(pattern), "isolated"), ByteLevel(add_prefix_space=False, use_regex=False)])


# By the name of the model that gets it: how it splits texts. llama.cpp has a name for each.
SPLITTINGS: dict[str, PreTokenizer] = {
    "llama": split_by(LLAMA_3),
    "llama-biased": Sequence([Digits(individual_digits=True), ByteLevel(add_prefix_space=False)]),
    "mistral": split_by(TEKKEN),
    "qwen2": split_by(QWEN),
    "qwen3": ByteLevel(add_prefix_space=False),
    "smollm3": split_by(LLAMA_3),
}


def write_tokenizer(folder: Path, texts: list[str], template: FamilyTemplate | None) -> None:
    """Replaces the tokenizer of a model by one that has learned its merges from texts, and the chat template if one is given. It has the special tokens of the template."""
    special = template.special if template else SPECIAL
    # As in Llama 3, which takes a part that is a token as it is.
    tokenizer = Tokenizer(models.BPE(ignore_merges=folder.name == "llama"))
    tokenizer.pre_tokenizer = SPLITTINGS[folder.name]
    # Transformers does this for each model of Qwen, whatever its files say.
    if folder.name.startswith("qwen"):
        tokenizer.normalizer = normalizers.NFC()
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.train_from_iterator(texts, trainers.BpeTrainer(vocab_size=SIZE, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False))
    tokenizer.add_special_tokens(list(special))
    assert tokenizer.get_vocab_size() == SIZE + len(special)
    tokenizer.save(str(folder / "tokenizer.json"))
    end = template.end if template else "<|im_end|>"
    set_special_tokens(folder, *(tokenizer.token_to_id(token) for token in (end, special[0])))
    if template:
        tokens = {"bos_token": template.begin, "eos_token": template.end, "pad_token": special[0]}
        change(folder / "tokenizer_config.json", {**tokens, "chat_template": template.text})


def set_special_tokens(folder: Path, end: int, padding: int) -> None:
    (folder / "generation_config.json").write_text(json.dumps({"eos_token_id": [end, padding]}))
    change(folder / "config.json", {"bos_token_id": None, "eos_token_id": end, "pad_token_id": padding})


def change(path: Path, fields: dict[str, Any]) -> None:
    """Sets fields of a file of JSON."""
    path.write_text(json.dumps({**json.loads(path.read_text()), **fields}))
