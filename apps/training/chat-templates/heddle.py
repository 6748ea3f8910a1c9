"""Heddle's rendering, in a process of Node."""

import json
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[3]
LIMIT_SECONDS = 600


def ask(task, folder):
    path = Path(folder) / "task.json"
    path.write_text(json.dumps(task, ensure_ascii=False), encoding="utf-8", errors="surrogatepass")
    script = ROOT / "apps/training/chat-templates/render.ts"
    done = subprocess.run(["node", "--import", "tsx", str(script), str(path)], cwd=ROOT, capture_output=True, timeout=LIMIT_SECONDS, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout)
