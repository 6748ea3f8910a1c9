"""Texts of the tests."""

from __future__ import annotations

WORDS = ["yes", "no", "blue", "seven", "hello", "maybe"]
CONVERSATIONS = [[{"role": "user", "content": f"Say {word}."}, {"role": "assistant", "content": word}] for word in WORDS]

DECOMPOSED = "e\u0301 decomposed"
TEXTS = [
    "Hello there!",
    "What is 12 + 345?",
    "I'll do it; they've DONE it, she'd said.",
    "Write   three  spaces",
    "a\tb\n\nc\r\nd",
    "Ünïcödé naïveté",
    "Привет, мир",
    "日本語の文",
    "مرحبا",
    "🙂 ok 👍🏽",
    "x = foo(1, 'two')",
    "https://a.example/b?c=d",
    "1234567890",
    "CamelCaseWord HTMLParser",
    "it's we're I'M",
    DECOMPOSED,
    "half ½ and ² and Ⅻ",
    "- item\n- other\n",
    "trailing space ",
    "\n\nleading lines",
    "...!?--",
    "path/to/file//",
    "non\u00a0breaking",
    "zero\u200bwidth",
    "“quotes” — dash",
    "नमस्ते",
    "Say blue.",
    "Say maybe, or seven.",
    "",
    "a",
]
CHATS = [[{"role": "user", "content": text}] for text in TEXTS]

# What the tokenizers learn their merges from.
CORPUS = [
    "The user says hello, and the assistant says yes or no. " * 3,
    "They've done it; I'll see what she'd said in 1984, 2024 and 12345.",
    "function add(first, second) {\n  return first + second\n}\n\n\n",
    "HTMLParser CamelCaseWord   three   spaces\t\ttabs",
    "naïveté Привет мир日本語 maybe blue seven item other quotes",
    *TEXTS,
]
