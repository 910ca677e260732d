"""What a run has left in its directory, to be compared with what another left."""
import json
import os


def files_of(out, differs, is_compared):
    """Files by their names: their bytes, and of run.json what it says without the keys that differ from run to run."""
    files = {}
    for where, _, names in os.walk(out):
        for name in names:
            path = os.path.join(where, name)
            short = os.path.relpath(path, out)
            if is_compared(short):
                with open(path, "rb") as f:
                    files[short] = f.read()
    if "run.json" in files:
        told = json.loads(files["run.json"])
        files["run.json"] = {key: value for key, value in told.items() if key not in differs}
    return files


def is_no_checkpoint(name):
    return not name.startswith("checkpoints/0")
