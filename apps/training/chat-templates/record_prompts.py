"""
Records the prompts that Transformers makes of the templates in `src/tokenizer/vectors/chat-templates`.

Run: python record_prompts.py
"""

import json
from pathlib import Path

from conversations import fewer_cases
from reference import render, with_arguments_as_text

FOLDER = Path(__file__).parent.parent / "src/tokenizer/vectors/chat-templates"


def read(path):
    with path.open(newline="", encoding="utf-8") as file:
        return file.read()


def main():
    families = json.loads(read(FOLDER / "families.json"))
    all_cases = list(fewer_cases())
    prompts = {
        name: [render(read(FOLDER / f"{name}.jinja"), case, {key: family[key] for key in ("bos_token", "eos_token")}) for case in all_cases]
        for name, family in families.items()
    }
    sent = [{**case, "messages": with_arguments_as_text(case["messages"])} for case in all_cases]
    (FOLDER / "prompts.json").write_text(json.dumps({"cases": sent, "prompts": prompts}, ensure_ascii=False, indent=0) + "\n")


if __name__ == "__main__":
    main()
