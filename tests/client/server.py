"""A stand-in for the server on loopback that does as the test says."""

import gzip
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Server(ThreadingHTTPServer):
    """Keeps what it was sent; answers ``statuses`` in turn, then 201 for ever."""

    daemon_threads = True

    def __init__(self, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self.requests: list[tuple[str, dict[str, str], bytes]] = []
        self.turns: list[dict[str, Any]] = []
        self.statuses: list[int] = []
        self.delay = 0.0
        self.connections = 0
        self.headers: dict[str, str] = {}

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def get_request(self) -> Any:
        self.connections += 1
        return super().get_request()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        self.server.requests.append((self.path, dict(self.headers), body))
        time.sleep(self.server.delay)
        status = self.server.statuses.pop(0) if self.server.statuses else 201
        answer: dict[str, Any] = {"error": {"code": "x", "message": "as told", "detail": {}}}
        if status == 201 and self.path == "/api/v1/turns/batch":
            turns = [json.loads(line) for line in body.splitlines()]
            self.server.turns += [turn for turn in turns if turn.get("prompt") != "bad"]
            status, answer = (
                200,
                {"results": [{"status": 400 if turn.get("prompt") == "bad" else 201} for turn in turns]},
            )
        elif status == 201:
            self.server.turns.append({**json.loads(body), "path": self.path})
            answer = {"id": "x"}
        content = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        for name, value in self.server.headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *args: object) -> None:
        pass


@contextmanager
def serving(port: int = 0) -> Iterator[Server]:
    """A server that runs while the block does."""
    server = Server(port)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
