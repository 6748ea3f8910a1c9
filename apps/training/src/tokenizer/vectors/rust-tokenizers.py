"""
Records the tokens that the `tokenizers` library makes of texts, by pre-tokenizer and normalizer.

Run with tokenizers 0.23: python rust-tokenizers.py > rust-tokenizers.json
"""

import json
import random
import sys
import unicodedata

from tokenizers import Tokenizer

GPT2 = [chr(b) if 0x21 <= b <= 0x7E or 0xA1 <= b <= 0xAC or 0xAE <= b else None for b in range(256)]
SPARE = iter(range(0x100, 0x200))
ALPHABET = [c if c is not None else chr(next(SPARE)) for c in GPT2]

# Marks the beginning of each piece with a space, so that the tokens tell how a text was cut.
MARK = {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": False, "use_regex": False}
PLAIN = {**MARK, "add_prefix_space": False}


def split(pattern, behavior="Isolated", invert=False):
    return {"type": "Split", "pattern": pattern, "behavior": behavior, "invert": invert}


def marked(*steps):
    return {"type": "Sequence", "pretokenizers": [*steps, MARK]}


LLAMA3 = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
QWEN2 = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"

PRE_TOKENIZERS = {
    "digits one by one": marked({"type": "Digits", "individual_digits": True}),
    "digits together": marked({"type": "Digits", "individual_digits": False}),
    "byte level with its pattern": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True},
    "byte level with its pattern, marked": marked({"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}),
    "digits, then byte level": {"type": "Sequence", "pretokenizers": [{"type": "Digits", "individual_digits": True}, {**PLAIN, "use_regex": True}]},
    "words": marked({"type": "Whitespace"}),
    "white space": marked({"type": "WhitespaceSplit"}),
    "punctuation": marked({"type": "Punctuation", "behavior": "Isolated"}),
    "punctuation together": marked({"type": "Punctuation", "behavior": "Contiguous"}),
    "punctuation removed": marked({"type": "Punctuation", "behavior": "Removed"}),
    "pattern of Llama 3": marked(split({"Regex": LLAMA3})),
    "pattern of Qwen 2": marked(split({"Regex": QWEN2})),
    "a text removed": marked(split({"String": "a"}, "Removed")),
    "a pattern inverted": marked(split({"Regex": r"\w+"}, "Removed", True)),
    "none": PLAIN,
}
NORMALIZERS = {
    "NFC": {"type": "NFC"},
    "NFKC": {"type": "NFKC"},
    "strip": {"type": "Strip", "strip_left": True, "strip_right": True},
    "strip left": {"type": "Strip", "strip_left": True, "strip_right": False},
    "lower case": {"type": "Lowercase"},
}
MERGES = [("1", "2"), ("a", "b"), ("Ġ", "a"), ("ab", "1"), ("Ã", "¼"), ("Â", "½")]


def tokenizer(pre_tokenizer, normalizer=None):
    texts = ALPHABET + [left + right for left, right in MERGES]
    added = [
        {"id": len(texts) + place, "content": content, "single_word": False, "lstrip": "l" in kind, "rstrip": "r" in kind, "normalized": False, "special": True}
        for place, (content, kind) in enumerate([("<|a|>", ""), ("<|l|>", "l"), ("<|r|>", "r")])
    ]
    return {
        "version": "1.0", "truncation": None, "padding": None, "added_tokens": added, "normalizer": normalizer, "pre_tokenizer": pre_tokenizer, "post_processor": None,
        "decoder": {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True},
        "model": {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None, "end_of_word_suffix": None, "fuse_unk": False, "byte_fallback": False,
                  "vocab": {text: place for place, text in enumerate(texts)}, "merges": [list(pair) for pair in MERGES]},
    }


TEXTS = [
    "ab12 ½ ² ① 三 ٣٤ Ⅷ x²y ab1½12", "12½34", "\ufeffab \ufeff", "a\u0085b \x1c\x1d c\u00a0d\u3000e\u2028f", "  two  spaces \n\n and lines\r\n",
    "it's I'LL we've", "a.b,c!!?? (d) «e» –f", "naïve café 🦊🦊 e\u0301 \u200b", "snake_case ǆ ß ΟΣ", "", " ", "a  <|a|>  b <|l|> c <|r|> d", "\u0085<|r|>\u0085a\ufeff<|l|>", "१२३ ৪ 𝟙𝟚 ㊿ ⅓",
]


def main():
    random.seed(5)
    odd = list("ab12 .'\n\r\t½²①٣三\ufeff\u0085\u00a0\u3000\x1c\u200b_-é🦊Ⅷ")
    assigned = [code for code in range(0x30000) if unicodedata.category(chr(code)) not in ("Cn", "Cs", "Co")]
    texts = TEXTS + ["".join(random.choice(odd) for _ in range(random.randrange(1, 14))) for _ in range(60)]
    texts += ["".join(chr(random.choice(assigned)) for _ in range(random.randrange(1, 6))) for _ in range(30)]
    configurations = {name: tokenizer(pre) for name, pre in PRE_TOKENIZERS.items()}
    configurations |= {name: tokenizer(PLAIN, normalizer) for name, normalizer in NORMALIZERS.items()}
    cases = []
    for name, configuration in configurations.items():
        loaded = Tokenizer.from_str(json.dumps(configuration))
        ids = [loaded.encode(text, add_special_tokens=False).ids for text in texts]
        decoded = [loaded.decode(each, skip_special_tokens=False) for each in ids]
        cases.append({"name": name, "pre_tokenizer": configuration["pre_tokenizer"], "normalizer": configuration["normalizer"], "ids": ids, "decoded": decoded})
    base = {**configurations["none"], "pre_tokenizer": None, "normalizer": None}
    json.dump({"tokenizer": base, "texts": texts, "cases": cases}, sys.stdout, ensure_ascii=True, separators=(",", ":"))


main()
