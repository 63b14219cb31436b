"""The style of the page's files, and what its Content-Security-Policy would refuse."""

import re
import sys

LONGEST_LINE = 120
LONGEST_FILE = 220
FORBIDDEN = [
    (r"\bvar\b", "var: write const or let"),
    (r"[^=!]==[^=]|!=[^=]", "== compares loosely: write ==="),
    (r"\b(innerHTML|outerHTML|insertAdjacentHTML|document\.write)\b", "markup from a string: build elements"),
    (r"\beval\(|new Function\(", "the policy refuses code from strings"),
    (r"setAttribute\('style'", "the policy refuses style attributes: set element.style"),
    (r"\bconsole\.", "a trace that was left"),
    (r"\bdebugger\b", "a trace that was left"),
    (r"https?://(?!www\.w3\.org/)", "the page loads nothing from elsewhere"),
    (r'^[^/`\'“]*"', "a string in double quotes: write single ones"),
]
MARKUP = [
    (r"<script(?![^>]*\bsrc=)", "a script in the page"),
    (r"<style|\sstyle=", "a style in the page"),
    (r"\son[a-z]+=", "a handler in the page"),
    (r"<img(?![^>]*\balt=)", "a picture without words"),
]


def problems(name, text):
    lines = text.split("\n")
    if len(lines) > LONGEST_FILE:
        yield 1, f"{len(lines)} lines: look for the second noun"
    if not text.endswith("\n"):
        yield len(lines), "no line break at the end"
    if name.endswith(".js") and not text.startswith("// "):
        yield 1, "the first line says what the file is"
    for number, line in enumerate(lines, 1):
        if len(line) > LONGEST_LINE and not name.endswith((".html", ".css")):
            yield number, f"{len(line)} characters"
        if line != line.rstrip() or "\t" in line:
            yield number, "a blank at the end or a tab"
        code = re.sub(r"//.*$|/\*.*?\*/|^\s*\*.*$", "", line)
        rules = FORBIDDEN if name.endswith(".js") else MARKUP if name.endswith(".html") else []
        for pattern, words in rules:
            if re.search(pattern, code):
                yield number, words
        if name.endswith(".js") and re.match(r"^( *)", line).end() % 4 and not re.match(r" +\*", line):
            yield number, "indented by other than 4"


def unused(texts):
    """Exports that no other file imports."""
    exported = {(name, word) for name, text in texts.items()
                for word in re.findall(r"^export (?:async )?(?:class|function|const) (\w+)", text, re.M)}
    imported = {word for text in texts.values() for line in re.findall(r"^import \{([^}]*)\}", text, re.M)
                for word in re.findall(r"\w+", line)}
    return sorted((name, word) for name, word in exported if word not in imported)


def main():
    count = 0
    texts = {}
    for name in sys.argv[1:]:
        with open(name, encoding="utf-8") as file:
            texts[name] = file.read()
        for number, words in problems(name, texts[name]):
            count += 1
            print(f"{name}:{number}: {words}", file=sys.stderr)
    scripts = {name: text for name, text in texts.items() if name.endswith(".js")}
    for name, word in unused(scripts):
        count += 1
        print(f"{name}: {word} is exported and not used", file=sys.stderr)
    sys.exit(1 if count else 0)


if __name__ == "__main__":
    main()
