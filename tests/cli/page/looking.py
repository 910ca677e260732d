"""What tests of pages share: complaints, programs that serve, pictures to be looked at, values of stores as they lie on disk."""
import atexit
import os
import re
import struct
import subprocess
import sys
import zlib

failed = []
pictures = os.environ.get("RIA_PAGE_PICTURES")

# how many colours a canvas shows; a value chosen in a control
INK = "(c => { const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data; const s = new Set(); " \
      "for (let k = 0; k < d.length; k += 4) if (d[k + 3]) s.add(d[k] << 16 | d[k + 1] << 8 | d[k + 2]); return s.size; })"
SET = "(e, v) => { e.value = v; e.dispatchEvent(new Event('change')); }"


def check(good, what):
    if not good:
        failed.append(what)
        print(what)


def serve(*command):
    """A program that serves, and the address that it tells. It is ended with the test, also where a check raises."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    atexit.register(process.kill)
    line = process.stdout.readline()
    if not re.fullmatch(r"http://127\.0\.0\.1:\d+/[0-9a-f]{32}/\n", line):
        process.kill()
        sys.exit(f"{command} says {line!r} and {process.communicate()[1]!r}")
    return process, line.strip()


def keep(page, name):
    if pictures:
        page.picture(os.path.join(pictures, name + ".png"))


def quiet(page, where, place):
    """No complaint in the console, and nothing asked for elsewhere."""
    told = [c for c in page.complaints() if "willReadFrequently" not in c and "GPU stall due to ReadPixels" not in c]  # of this test's own reading
    check(not told, f"{where}: {told[:4]}")
    elsewhere = [u for u in page.requests() if not u.startswith(place)]
    check(not elsewhere, f"{where} asks {elsewhere[:3]}")


def chunk(out, name, k, store="fields.zarr"):
    """A field at its k-th time, of a store that has it in one tile."""
    with open(f"{out}/{store}/{name}/{k}.0.0", "rb") as f:
        data = zlib.decompress(f.read())
    return struct.unpack(f"<{len(data) // 8}d", data)
