"""ria.d.lua as the Lua language server takes it: luals.py SERVER STUBS SCENARIOS

It finds no fault with the stubs and with scenarios; it finds texts that are no choice, keys that are
missing, methods that are not there (a key too many in a table it lets pass: `ria check` finds those);
and who points at a key reads its unit, its range and its default.
"""
import json
import os
import shutil
import subprocess
import sys
import time

server, stubs, scenarios = sys.argv[1:]
failed = []
WRONG = """local ria = require "ria"
local sim = ria.sim { grid = { nx = 20, ny = 10, dx = 50 }, bed = -4, precision = "duble", init = { level = 0 } }
sim:every("1 min", ria.frame { field = "level", scale = "logarithmic" })
sim:gauge { name = "pier", x = 100, y = 100, evry = "1 min" }
sim:runs "1 h"
"""
RIGHT = """local ria = require "ria"
local sim = ria.sim {
  grid = { nx = 20, ny = 10, dx = 50 },
  bed = -4,
  params = { manning = 0.03 },
}
sim:gauge { name = "pier", x = 100, y = 100, every = "1 min" }
"""


def check(good, what):
    if not good:
        failed.append(what)
        print(what)


def folder(name, **files):
    os.makedirs(name + "/library")
    shutil.copy(stubs, name + "/library/ria.d.lua")
    for file, text in files.items():
        with open(f"{name}/{file}.lua", "w", encoding="utf-8") as f:
            f.write(text)
    with open(name + "/.luarc.json", "w", encoding="utf-8") as f:
        json.dump({"runtime.version": "Lua 5.4", "runtime.path": ["?.lua"], "workspace.library": ["library"]}, f)
    return os.path.abspath(name)


def problems(place):
    """What it finds: [[file, line from 1, code], ...]"""
    out = place + ".json"
    done = subprocess.run([server, "--check=" + place, "--checklevel=Warning", "--check_format=json", "--check_out_path=" + out,
                           "--logpath=" + place + ".log", "--metapath=" + place + ".meta"], capture_output=True, text=True, timeout=120)
    if not os.path.exists(out):
        check("no problems found" in done.stdout, f"{place}: {done.stdout[-300:]} {done.stderr[-300:]}")
        return []
    with open(out, encoding="utf-8") as f:
        found = json.load(f)
    return sorted([os.path.basename(file), p["range"]["start"]["line"] + 1, p["code"]] for file, list_ in (found or {}).items() for p in list_)


class Client:
    """One that speaks its protocol, as an editor does."""

    def __init__(self, place):
        self.process = subprocess.Popen([server, "--logpath=" + place + ".log", "--metapath=" + place + ".meta"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.uri, self.n = "file://" + place, 0
        self.ask("initialize", processId=None, rootUri=self.uri, capabilities={}, workspaceFolders=[{"uri": self.uri, "name": "w"}])
        self.tell("initialized")

    def put(self, **message):
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
        self.process.stdin.flush()

    def get(self):
        size = 0
        while (line := self.process.stdout.readline().strip()):
            if line.lower().startswith(b"content-length:"):
                size = int(line.split(b":")[1])
        return json.loads(self.process.stdout.read(size))

    def tell(self, method, **params):
        self.put(method=method, params=params)

    def ask(self, method, **params):
        self.n += 1
        self.put(id=self.n, method=method, params=params)
        while True:
            told = self.get()
            if told.get("id") == self.n and "method" not in told:
                return told.get("result")
            if "id" in told and "method" in told:  # it asks: nothing is set here
                items = told.get("params", {}).get("items")
                self.put(id=told["id"], result=[None] * len(items) if items else None)


def hover(client, text, line, word):
    at = {"line": line, "character": text.split("\n")[line].index(word) + 1}
    until = time.time() + 60
    while True:
        told = client.ask("textDocument/hover", textDocument={"uri": client.uri + "/right.lua"}, position=at)
        value = told["contents"]["value"] if told else ""
        if not value.startswith("Workspace loading") or time.time() > until:
            return value
        time.sleep(0.1)


place = folder("scenarios")
for name in os.listdir(scenarios):
    if name.endswith(".lua"):
        shutil.copy(os.path.join(scenarios, name), place)
found = problems(place)
check(not found, f"it finds fault with {found}")
found = [tuple(p[1:]) for p in problems(folder("wrong", wrong=WRONG))]
for line, what in ((2, "duble"), (3, "logarithmic"), (4, "evry"), (5, "runs")):
    check(any(p[0] == line for p in found), f"it does not see '{what}' in line {line}: {found}")

place = folder("right", right=RIGHT)
client = Client(place)
client.tell("textDocument/didOpen", textDocument={"uri": client.uri + "/right.lua", "languageId": "lua", "version": 1, "text": RIGHT})
for line, word, wanted in ((4, "manning", ("Manning roughness", "s/m^(1/3)", "0 .. 0.5", "0 if left out")), (6, "every", ("[s", ">")), (2, "nx", ("cells",))):
    told = hover(client, RIGHT, line, word)
    for text in wanted:
        check(text in told.replace("\\", ""), f"who points at '{word}' does not read '{text}': {told!r}")
client.ask("shutdown")
client.tell("exit")
client.process.wait(20)
sys.exit(bool(failed))
