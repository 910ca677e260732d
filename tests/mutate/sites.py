"""Where a C source can be changed: one sign, bound, index, constant or condition inside a function."""
import re
from dataclasses import dataclass

HEAD = re.compile(r"^(?!typedef|struct|enum|union|extern|return|else)[A-Za-z_][^;{}=]*$")
NUMBER = r"(?<![\w.])(\d+\.\d*(?:[eE][-+]?\d+)?|\d+[eE][-+]?\d+|\d+)(?![\w.])"


@dataclass(frozen=True)
class Function:
    first: int  # line of its opening brace, from 0
    last: int  # line of its closing brace
    is_void: bool


@dataclass(frozen=True)
class Site:
    path: str
    function: Function
    line: int  # from 0
    start: int
    end: int
    new: str
    kind: str

    def changed(self, text):
        return text[: self.start] + self.new + text[self.end :]


def blank(match):
    return re.sub(r"[^\n]", " ", match.group(0))


def code_lines(text):
    """The lines with comments, texts, directives and what only nvcc compiles as blanks."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])+'", blank, text, flags=re.S)
    lines, stack, goes_on = text.split("\n"), [], False
    for i, line in enumerate(lines):
        directive = re.match(r"\s*#\s*(\w+)(.*)", line)
        if directive and not goes_on:
            word, rest = directive.groups()
            cuda = "__CUDA" in rest
            if word in ("if", "ifdef", "ifndef"):
                stack.append((cuda, cuda and word != "ifndef" and "!" not in rest))
            elif word in ("else", "elif") and stack:
                stack[-1] = (stack[-1][0], stack[-1][0] and not stack[-1][1])
            elif word == "endif" and stack:
                stack.pop()
        if directive or goes_on:
            goes_on = line.endswith("\\")
            lines[i] = " " * len(line)
        elif any(off for _, off in stack):
            lines[i] = " " * len(line)
    return lines


def functions(lines):
    i = 0
    while i < len(lines):
        if not re.match(r"[A-Za-z_]", lines[i]) or not HEAD.match(lines[i].rstrip().rstrip("{")):
            i += 1
            continue
        j = i
        while j < len(lines) - 1 and not re.search(r"[{;]\s*$", lines[j]):
            j += 1
        head = " ".join(lines[i : j + 1]).rstrip()
        if re.search(r"\)\s*\{$", head):
            last = next((k for k in range(j + 1, len(lines)) if lines[k].startswith("}")), j)
            yield Function(j, last, bool(re.match(r"(?:[A-Za-z_]+ )*void \w+\(", head)))
            i = last
        i = max(i, j) + 1 if j > i or head.endswith("}") else i + 1


def other_number(text):
    if not re.fullmatch(r"\d+", text):
        return "1.0" if float(text) == 0 else repr(2 * float(text))
    return str(int(text) + 1)


SWAPS = {
    "sign": {" + ": " - ", " - ": " + ", " += ": " -= ", " -= ": " += ", " * ": " / "},
    "bound": {" < ": " <= ", " <= ": " < ", " > ": " >= ", " >= ": " > "},
    "condition": {" == ": " != ", " != ": " == ", " && ": " || ", " || ": " && "},
}


def on_line(line):
    """(start, end, new, kind) of each change."""
    for kind, swaps in SWAPS.items():
        for old, new in swaps.items():
            for m in re.finditer("(?<=[\\w)\\]])" + re.escape(old) + "(?=\\S)", line):
                if old == " * " and re.search(r"\b(const|char|void|double|int|float|R|\w+_t)$", line[: m.start()]):
                    continue
                yield m.start(), m.end(), new, kind
    for m in re.finditer(r"(?<=[(,=?:] )-(?=[\w(])|(?<=return )-(?=[\w(])|(?<=\()-(?=[\w(])", line):
        yield m.start(), m.end(), "", "sign"
    for m in re.finditer(r"(?<=[\w)\]])\[([^\[\]]+)\]", line):
        inner = m.group(1)
        less = re.sub(r" [-+] 1$", "", inner)
        yield m.start(1), m.end(1), less if less != inner else inner + " + 1", "index"
    for m in re.finditer(NUMBER, line):
        before = line[: m.start()]
        if not before.endswith("[") and not re.search(r"\[[^\]]*$", before):
            yield m.start(), m.end(), other_number(m.group(1)), "constant"


def sites(path, text):
    lines = code_lines(text)
    for f in functions(lines):
        for i in range(f.first + 1, f.last):
            for start, end, new, kind in on_line(lines[i]):
                if not re.match(r"\s*(static |const |unsigned )*\w+ \w+\[[^\]]*\];", lines[i]):
                    yield Site(path, f, i, start, end, new, kind)


def with_changes(text, chosen):
    """The source with all changes in it: chosen = [(number, site)]. Each function begins with its changed bodies."""
    lines = text.split("\n")
    extra = {}
    for number, s in chosen:
        body = lines[s.function.first + 1 : s.function.last]
        body[s.line - s.function.first - 1] = s.changed(lines[s.line])
        end = "return;" if s.function.is_void else "__builtin_unreachable();"
        extra.setdefault(s.function.first, []).extend([f"if (RIA_MUTANT({number})) {{ /* change {number} */", *body, end, "}"])
    out = []
    for i, line in enumerate(lines):
        out.append(line)
        out.extend(extra.get(i, []))
    return "\n".join(out)
