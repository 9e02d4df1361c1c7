"""Sends the requests of the documents, as they are printed, twice: FOLDER holds
`NAME.sh` with commands of the AWS CLI and `NAME.ts` with the same in TypeScript;
NODE runs the latter. What arrives must be the same both ways. Where a module asks
for what a read before returned, the command has some value; where a module goes
through all shards of a key, the command asks for one of them, and so it does where
a module sends a request for each item that was read, or a batch of all their keys.

The AWS CLI's own parser takes the commands apart, and botocore's validator and
the SDK's serialiser let them through to the wire or not. Nothing leaves the
machine: what answers is an endpoint in this process, which knows no table and
says yes to everything, and to a read items of whatever the module asks of them.
"""

import base64
import contextlib
import decimal
import http.server
import io
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import threading

os.environ.update(
    AWS_DEFAULT_REGION="us-east-1",
    AWS_REGION="us-east-1",
    AWS_ACCESS_KEY_ID="none",
    AWS_SECRET_ACCESS_KEY="none",
    AWS_EC2_METADATA_DISABLED="true",
    AWS_CONFIG_FILE=os.devnull,
    AWS_SHARED_CREDENTIALS_FILE=os.devnull,
    AWS_PAGER="",
)

from awscli.clidriver import create_clidriver  # noqa: E402


# Stands in an item for a value that only the command knows; long enough for a part
# of it to be taken.
READ = "\ue000" * 40


class Yes(http.server.BaseHTTPRequestHandler):
    """Keeps what it was asked, by whose it was, and answers with nothing but the
    attributes that are asked of an item.
    """

    name = ""
    seen = {}
    items = {}

    def do_POST(self):
        target = self.headers["X-Amz-Target"].split(".", 1)
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if target[0] == "Next":
            Yes.name = target[1]
        else:
            Yes.seen.setdefault(Yes.name, []).append((target[1], plain(body)))
        item = Yes.items.get(Yes.name)
        answers = {"GetItem": {"Item": item}, "Query": {"Items": [item] * 9}, "Scan": {"Items": [item] * 9}}
        answer = answers.get(target[1], {}) if item else {}
        answer = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/x-amz-json-1.0")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


def once(value):
    """A body whose binaries are encoded once. Version 2 of the CLI, which the
    documents are written for, takes binaries in base64; pip has version 1, which
    takes them as they are and encodes them itself.
    """
    match value:
        case {"B": str(text)} if len(value) == 1:
            return {"B": base64.b64decode(text).decode()}
        case {"BS": list(texts)} if len(value) == 1:
            return {"BS": [base64.b64decode(text).decode() for text in texts]}
        case dict():
            return {key: once(inner) for key, inner in value.items()}
        case list():
            return [once(inner) for inner in value]
    return value


def plain(value):
    """A body with each number in one spelling: 1E3 is 1000."""
    number = lambda text: str(decimal.Decimal(text).normalize())  # noqa: E731
    match value:
        case {"N": str(text)} if len(value) == 1:
            return {"N": number(text)}
        case {"NS": list(texts)} if len(value) == 1:
            return {"NS": [number(text) for text in texts]}
        case dict():
            return {key: plain(inner) for key, inner in value.items()}
        case list():
            return [plain(inner) for inner in value]
    return value


def used(module):
    """The item whose attributes a module uses."""
    names = re.findall(r"\bitem\d*\.([A-Za-z_]\w*)", module)
    names += [json.loads(name) for name in re.findall(r'\bitem\d*\[("(?:[^"\\]|\\.)*")\]', module)]
    return {name: {"S": READ} for name in names}


def fits(sent, asked):
    """Whether a module sends what a command asks."""
    match sent, asked:
        case {"S": str(text)}, dict() if len(sent) == len(asked) == 1 and READ[0] in text:
            [other] = asked.values()
            pattern = "(?s:.+)".join(map(re.escape, re.split(f"{READ[0]}+", text)))
            return isinstance(other, str) and re.fullmatch(pattern, other) is not None
        case {"Keys": list(keys)}, {"Keys": list(others)} if keys and READ[0] in json.dumps(keys, ensure_ascii=False):
            # All items that were read are alike here: so are their keys.
            rest = [{key: value for key, value in one.items() if key != "Keys"} for one in (sent, asked)]
            return fits(*rest) and all(any(fits(key, other) for key in keys) for other in others)
        case dict(), dict():
            return sent.keys() == asked.keys() and all(fits(value, asked[key]) for key, value in sent.items())
        case (list(), list()) | (tuple(), tuple()):
            return len(sent) == len(asked) and all(map(fits, sent, asked))
    return sent == asked


def same(sent, asked, module):
    """Whether the requests of a module are those of its commands."""
    shards = [int(shards) for shards in re.findall(r"for \(let shard\d* = 0; shard\d* < (\d+);", module)]
    if re.search(r"^for \(const item\d* of ", module, re.MULTILINE):
        sent = [one for at, one in enumerate(sent) if at == 0 or one != sent[at - 1]]
    if not shards:
        return fits(sent, asked)
    return (
        len(sent) == len(asked) + sum(shards) - len(shards)
        and len({json.dumps(one, sort_keys=True) for one in sent}) == len(sent)
        and all(any(fits(one, other) for one in sent) for other in asked)
    )


def run(driver, endpoint, command):
    """What is wrong with a command; None where nothing is."""
    # What stands above a command is for whoever reads it.
    while command.startswith("# "):
        command = command.partition("\n")[2]
    try:
        # shlex follows POSIX, but leaves a continued line to whoever reads lines.
        words = shlex.split(command.replace(" \\\n", " "))
    except ValueError as error:
        return f"a shell cannot read it: {error}"
    if words[:2] != ["aws", "dynamodb"]:
        return "it is no command of `aws dynamodb`"
    output, before = io.StringIO(), len(Yes.seen.get(Yes.name, []))
    try:
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
            code = driver.main([*words[1:], "--endpoint-url", endpoint, "--no-sign-request"])
    except SystemExit as exit:
        code = exit.code
    if code != 0:
        return f"exit code {code}: {output.getvalue().strip()}"
    if len(Yes.seen.get(Yes.name, [])) == before:
        return "no request was sent"
    return None


def main(folder, node):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Yes)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    endpoint = f"http://127.0.0.1:{server.server_address[1]}"
    driver = create_clidriver()
    # What has to fail does fail: an option that there is not, a value that is no
    # text, no key.
    for wrong in [
        "aws dynamodb get-item --table-name Table --key '{}' --shape round",
        "aws dynamodb get-item --table-name Table --key '{\"id\":{\"S\":1}}'",
        "aws dynamodb get-item --table-name Table",
    ]:
        if run(driver, endpoint, wrong) is None:
            sys.exit(f"this should not be accepted: {wrong}")

    faults, commands = [], 0
    for file in sorted(pathlib.Path(folder).glob("*.sh")):
        Yes.name = file.stem
        for command in file.read_text(encoding="utf-8").split("\n\n"):
            commands += 1
            fault = run(driver, endpoint, command)
            if fault is not None:
                faults.append(f"{file.stem}:\n{command}\n{fault}")
    asked = {name: [(operation, once(body)) for operation, body in all] for name, all in Yes.seen.items()}
    Yes.seen = {}
    modules = {file.stem: file.read_text(encoding="utf-8") for file in pathlib.Path(folder).glob("*.ts")}
    Yes.items = {name: used(module) for name, module in modules.items()}

    send = pathlib.Path(__file__).with_name("send.mjs")
    environment = {**os.environ, "AWS_ENDPOINT_URL_DYNAMODB": endpoint, "NODE_NO_WARNINGS": "1"}
    sent = subprocess.run(
        [node, send, folder, endpoint], env=environment, timeout=300, capture_output=True, encoding="utf-8"
    )
    if sent.returncode != 0:
        faults.append(f"{sent.stdout}{sent.stderr}")
    for name, of_cli in asked.items():
        if not same(Yes.seen.get(name, []), of_cli, modules.get(name, "")):
            faults.append(f"{name}: the CLI asks\n{of_cli}\nand the SDK\n{Yes.seen.get(name)}")

    print("\n\n".join(faults))
    print(f"{commands} commands, {len(Yes.seen)} modules, {len(faults)} faults")
    sys.exit(1 if faults or not commands else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
