"""A program that Ray starts as it would start a training server: it answers the health check, and says which process it is."""

from __future__ import annotations

import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        body = str(os.getpid()) if self.path == "/pid" else '{"status":"ok"}'
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())


print(f"stand-in with {os.environ['STAND_IN_WORD']}", flush=True)
ThreadingHTTPServer(("0.0.0.0", int(sys.argv[1])), Handler).serve_forever()
