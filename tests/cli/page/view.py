"""ria view, spoken to by hand: view.py PROGRAM DIRECTORY SECOND

Raw sockets, so that a request may be anything: paths that climb, names that are hidden, other
methods, other hosts, bytes without end. What is refused must say nothing of what is there.
"""
import json
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time

from looking import check, failed, serve

ria, folder, two = sys.argv[1:]


def start(*options):
    process, place = serve(ria, "view", folder, *options)
    _, _, host, token, _ = place.split("/")
    return process, int(host.split(":")[1]), token


process, port, token = start()


def connect():
    return socket.create_connection(("127.0.0.1", port), timeout=20)


def read_answer(stream, body=True):
    """Status, headers (lower case), body of one answer; None at the end of the connection."""
    status = stream.readline()
    if not status:
        return None
    headers = {}
    while (line := stream.readline().strip()):
        name, value = line.decode().split(":", 1)
        headers[name.lower()] = value.strip()
    content = stream.read(int(headers["content-length"])) if body else b""
    return int(status.split()[1]), headers, content


def send(data, body=True):
    with connect() as s:
        s.sendall(data)
        return read_answer(s.makefile("rb"), body)


def ask(path, method="GET", host=None, more=""):
    text = f"{method} {path} HTTP/1.1\r\nHost: {host or f'127.0.0.1:{port}'}\r\n{more}\r\n"
    return send(text.encode("latin-1"), method != "HEAD")


def get(path):
    return ask(f"/{token}/{path}")


def on_disk(path):
    with open(os.path.join(folder, path), "rb") as f:
        return f.read()


# what is there comes as it is
for path, kind in [("index.html", "text/html; charset=utf-8"), ("index.js", "text/javascript; charset=utf-8"),
                   ("run.json", "application/json"), ("gauges.csv", "text/csv; charset=utf-8"),
                   ("frames/level/level_000001.png", "image/png"), ("fields.zarr/.zmetadata", "application/octet-stream"),
                   ("fields.zarr/level/1.0.0", "application/octet-stream"), ("maxima/level.png", "image/png")]:
    status, headers, content = get(path)
    check((status, headers["content-type"], content) == (200, kind, on_disk(path)), f"{path}: {status} {headers}")
    check(headers["x-content-type-options"] == "nosniff" and "default-src 'none'" in headers["content-security-policy"]
          and headers["referrer-policy"] == "no-referrer", f"{path}: {headers}")
check(get("")[2] == on_disk("index.html"), "the folder itself is not its page")
check(get("frames/level/level_00000%31.png?x=/../1")[0] == 200, "%31 is no 1")
status, headers, content = ask(f"/{token}/index.js", "HEAD")
check((status, headers["content-length"]) == (200, str(len(on_disk("index.js")))), f"HEAD: {status} {headers}")

# nothing else does, and its answer is one for all
nothing = get("nothing")
check(nothing[0] == 404 and nothing[2] == b"404 Not Found\n", f"what is not there: {nothing}")
for path in ["../secret", "%2e%2e/secret", "..%2fsecret", "%2e%2e%2fsecret", "frames/../../secret", "./index.html", "frames//level",
             "/etc/passwd", "//etc/passwd", "link", "up/secret", "up/bay/index.html", ".hidden", ".ria-lock", "fifo", "frames", "frames/",
             "index.html/", "index.html%00.png", "%", "%2", "%zz", "fields.zarr/level", "a" * 3000, "frames/level/..%5c..%5csecret",
             "%c0%ae%c0%ae/secret", "index.html\x7f"]:
    answer = get(path)
    check((answer[0], answer[2]) == (404, nothing[2]), f"{path[:60]!r}: {answer[0]} {answer[2][:60]!r}")
for path in ["/", "/index.html", f"/{token}", f"/{token[:-1]}/index.html", f"/{token[:-1]}g/index.html", f"/{token.upper()}x/index.html",
             f"/{'0' * 32}/index.html", "index.html", "*", f"http://127.0.0.1:{port}/{token}/index.html"]:
    answer = ask(path)
    check(answer[0] == 404, f"{path!r}: {answer[0]}")

# only to this machine, by its own name: no other site's name may lead here
check(ask(f"/{token}/index.html", host=f"localhost:{port}")[0] == 200, "localhost is refused")
for host in ["evil.example", f"evil.example:{port}", "127.0.0.1", f"127.0.0.1:{port}.evil.example", ""]:
    check(ask(f"/{token}/index.html", host=host or " ")[0] == 403, f"Host: {host!r} is let in")
check(send(f"GET /{token}/index.html HTTP/1.1\r\n\r\n".encode())[0] == 403, "no Host is let in")

# only to be read, one request after the other
for method in ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "get", "GETT"]:
    status, headers, _ = ask(f"/{token}/index.html", method)
    check(status == 405 and headers["allow"] == "GET, HEAD", f"{method}: {status}")
check(ask(f"/{token}/index.html", more="Content-Length: 5\r\n")[0] == 400, "a body is let in")
check(ask(f"/{token}/index.html", more="Transfer-Encoding: chunked\r\n")[0] == 400, "a chunked body is let in")
for data in [b"\r\n\r\n", b"GET\r\n\r\n", b"GET /\r\n\r\n", b"GET / FTP/1.1\r\n\r\n", b"\xff" * 100 + b"\r\n\r\n"]:
    check(send(data)[0] in (400, 405), f"{data[:20]!r}: taken")
check(send(b"GET / HTTP/1.1\r\nX: " + b"a" * 9000)[0] == 431, "a head without end is taken")
check(send(b"GET / HTTP/1.1\r\nX: \0\r\n\r\n")[0] == 431, "a NUL is taken")
with connect() as s:
    one = f"GET /{token}/run.json HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()
    s.sendall(one * 3 + one[:30])
    stream = s.makefile("rb")
    for k in range(3):
        check(read_answer(stream)[2] == on_disk("run.json"), f"request {k} of three at once")
    s.sendall(one[30:])
    check(read_answer(stream)[2] == on_disk("run.json"), "a request in two pieces")
with connect() as s:
    s.sendall(f"GET /{token}/run.json HTTP/1.0\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
    stream = s.makefile("rb")
    check(read_answer(stream)[0] == 200 and read_answer(stream) is None, "HTTP/1.0 is kept open")

# bytes of any kind, and many at once, leave it at work
random.seed(1)
for k in range(300):
    data = bytes(random.choice(b"GET /HTP1.:%\r\n\0abc" + token.encode()) for _ in range(random.randint(1, 200)))
    with connect() as s:
        s.sendall(data)
        s.shutdown(socket.SHUT_WR)
        s.settimeout(20)
        try:
            while s.recv(65536):
                pass
        except ConnectionResetError:
            pass
answers = []
many = [threading.Thread(target=lambda: answers.append(get("index.js")[2] == on_disk("index.js"))) for _ in range(20)]
for thread in many:
    thread.start()
for thread in many:
    thread.join()
check(answers == [True] * 20, f"twenty at once: {answers}")

# nobody from outside reaches it; the end comes by Ctrl-C; a port that is taken is told
with open("/proc/net/tcp") as f:
    listening = [line.split()[1] for line in f if line.split()[3] == "0A" and line.split()[1].endswith(f":{port:04X}")]
check(listening == [f"0100007F:{port:04X}"], f"it listens at {listening}")
again = subprocess.run([ria, "view", folder, "--port", str(port)], capture_output=True, text=True, timeout=20)
check(again.returncode == 2 and again.stderr == f"ria: cannot listen at 127.0.0.1, port {port}: Address already in use\n",
      f"a second one: {again}")
idle = connect()
process.send_signal(signal.SIGINT)
check(process.wait(20) == 0, f"Ctrl-C: exit code {process.returncode}")
idle.close()
second, port, other = start("--port", str(port))
check(other != token, "the token is the same again")
second.send_signal(signal.SIGTERM)
check(second.wait(20) == 143, f"SIGTERM: exit code {second.returncode}")

# --open runs xdg-open with the address, and no shell
os.mkdir("bin")
with open("bin/xdg-open", "w") as f:
    f.write('#!/bin/sh\necho "$# $1" >opened.new && mv opened.new opened\n')
os.chmod("bin/xdg-open", 0o755)
os.environ["PATH"] = os.path.abspath("bin") + ":" + os.environ["PATH"]
third, port, token = start("--open")
until = time.time() + 20
while not os.path.exists("opened") and time.time() < until:
    time.sleep(0.05)
check(os.path.exists("opened") and open("opened").read() == f"1 http://127.0.0.1:{port}/{token}/\n", "xdg-open was not run as it should be")
third.send_signal(signal.SIGINT)
check(third.wait(20) == 0, "Ctrl-C after --open")

# two folders under one token: a page of its own, a/ and b/, and nothing else
with open(os.path.join(two, "run.json"), "ab") as f:
    f.write(b"\n")  # so that it is another
pair, port, token = start(two)
status, headers, page = get("")
check(status == 200 and headers["content-type"] == "text/html; charset=utf-8" and b"Two runs compared" in page and b"script-src 'self'" in headers["content-security-policy"].encode(),
      f"the page of two: {status}, {headers}")
check(json.loads(get("served.json")[2]) == {"a": folder, "b": two}, f"their names: {get('served.json')[2]}")
for side, where in [("a", folder), ("b", two)]:
    for path in ["", "index.html", "index.js", "run.json", "fields.zarr/.zmetadata", "frames/level/level_000000.png"]:
        with open(os.path.join(where, path or "index.html"), "rb") as f:
            check(get(f"{side}/{path}")[::2] == (200, f.read()), f"{side}/{path} is another")
    for path in [".hidden", "link", "up/secret", "fifo", "../secret", "..", ".", "../run.json", f"../{'ab'[side == 'a']}/run.json", "%2e%2e/run.json",
                 "..%2frun.json", "frames", "frames/", "/run.json", "//", f"{side}/run.json", "act/stop"]:
        check(get(f"{side}/{path}")[::2] == (404, nothing[2]), f"{side}/{path}: {get(f'{side}/{path}')[0]}")
for path in ["a", "b", "c/run.json", "A/run.json", "%61/run.json", "ab/run.json", "/a/run.json", "run.json", "index.html", "index.js", "a%2frun.json", "../a/run.json",
             "a/../b/run.json", os.path.abspath(folder)]:
    check(get(path)[::2] == (404, nothing[2]), f"{path}: {get(path)[0]}")
for path in ["/a/run.json", "/", f"/{'0' * 32}/a/run.json", f"/{token[:-1]}/b/run.json"]:
    check(ask(path)[0] == 404, f"without the token {path}: {ask(path)[0]}")
check(ask(f"/{token}/a/run.json", host="evil.example")[0] == 403, "two are served to others")
for method in ["POST", "PUT", "DELETE"]:
    check(ask(f"/{token}/b/run.json", method)[0] == 405, f"{method} of two")
pair.send_signal(signal.SIGINT)
check(pair.wait(20) == 0, "Ctrl-C of two")
sys.exit(bool(failed))
