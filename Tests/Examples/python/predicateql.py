"""Queries as text, for Python 3.9 and later: a client of `pql batch` in one file that needs nothing else.

    with PredicateQL() as pql:
        sql, bindings = pql.sql("age > %@", 21, dialect="postgresql", table="people", storage="columns")
        adults = pql.results("age > $least", documents, variables={"least": 18}, limit=10)

One process answers all calls. Threads may share a client; their calls wait for each other. Grammar/batch.md describes
every key that a call takes as a keyword argument.
"""

import datetime
import json
import os
import shutil
import subprocess
import threading
import uuid


class QueryError(Exception):
    """A mistake in a query or a request.

    `code` is stable; `range` is in UTF-8 bytes of the text that `path` names; `fix` is None or a dict with a `range` and
    its `replacement`.
    """

    def __init__(self, error):
        super().__init__(error["message"] + (f" ({error['hint']})" if error["hint"] else ""))
        self.code = error["code"]
        self.message = error["message"]
        self.range = error["range"]
        self.hint = error["hint"]
        self.path = error["path"]
        self.fix = error["fix"]

    def fixed(self, text):
        """The text with the fix applied, or None if there is no fix."""
        if self.fix is None:
            return None
        start, end = self.fix["range"]
        data = text.encode()
        return (data[:start] + self.fix["replacement"].encode() + data[end:]).decode()


class ToolError(Exception):
    """The tool is missing, or its process has ended."""


class PredicateQL:
    """A running `pql batch`.

    `tool` is the path of pql; without it the variable PQL, then the PATH. `register` and `table` name an SQLite file, and
    `rows` queries it. `timeout` and `max_steps` bound each output.
    """

    def __init__(self, tool=None, register=None, table=None, timeout=None, max_steps=None):
        tool = tool or os.environ.get("PQL") or shutil.which("pql")
        if not tool:
            raise ToolError("pql is not on the PATH; give its path as `tool`")
        command = [tool, "batch"]
        options = {"--register": register, "--table": table, "--timeout": timeout, "--max-steps": max_steps}
        for name, value in options.items():
            if value is not None:
                command += [name, str(value)]
        self._lock = threading.Lock()
        self._last = 0
        try:
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        except OSError as error:
            raise ToolError(f"{tool} cannot be run: {error}") from error

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Ends the process."""
        with self._lock:
            try:
                self._process.stdin.close()
            except OSError:
                pass
            self._process.stdout.close()
            self._process.wait()

    def request(self, **keys):
        """The answer to a request, a dict; an `error` in it or in one of its outputs is left there."""
        with self._lock:
            self._last += 1
            line = json.dumps({"id": self._last, **keys}, default=_extended, allow_nan=False)
            try:
                self._process.stdin.write(line.encode() + b"\n")
                self._process.stdin.flush()
                answer = self._process.stdout.readline()
            except (OSError, ValueError) as error:
                raise ToolError(f"pql cannot be asked: {error}") from error
            if not answer.endswith(b"\n"):
                raise ToolError(f"pql has ended with status {self._process.wait()}")
            return json.loads(answer, object_hook=_plain)

    def output(self, name, format, *arguments, **keys):
        """One output of a query: text with a value for each placeholder, or a Mongo filter as a dict."""
        query = {"mongo": format} if isinstance(format, dict) else {"format": format}
        if arguments:
            query["arguments"] = arguments
        answer = self.request(**query, **keys, outputs=[] if name == "rows" else [name])
        if "error" in answer:
            raise QueryError(answer["error"])
        output = answer[name]
        # The only dict with this one key: an output never has it.
        if isinstance(output, dict) and set(output) == {"error"}:
            raise QueryError(output["error"])
        return output

    def check(self, format, *arguments, **keys):
        """Every mistake of a text and what is probably not meant, a list of dicts; empty for a sound query."""
        keys = {"arguments": arguments, **keys} if arguments else keys
        return self.request(format=format, outputs=["problems"], **keys)["problems"]

    def sql(self, format, *arguments, dialect="sqlite", functions="none", **keys):
        """The statement and the values of its placeholders.

        Only `functions="any"` lets it call functions that the store must have first.
        """
        statement = self.output(dialect, format, *arguments, functions=functions, **keys)
        return statement["sql"], statement["bindings"]

    def mongo(self, format, *arguments, **keys):
        """The Mongo `filter`, `sort`, `projection`, `skip` and `limit`, or the `pipeline` of groups."""
        return self.output("mongo", format, *arguments, **keys)

    def format(self, format, *arguments, **keys):
        """The query as text, its values in it; reads a Mongo filter."""
        return self.output("format", format, *arguments, **keys)

    def results(self, format, documents, *arguments, **keys):
        """The documents or groups that a query finds in a list of dicts."""
        return self.output("results", format, *arguments, documents=list(documents), **keys)

    def matches(self, format, documents, *arguments, **keys):
        """The positions of the dicts that match."""
        return self.output("matches", format, *arguments, documents=list(documents), **keys)

    def rows(self, format, *arguments, **keys):
        """The rows that a query finds in the SQLite file of `register`."""
        return self.output("rows", format, *arguments, **keys)

    def pages(self, format, *arguments, size=100, order, **keys):
        """Pages of `rows`; the order ends in a field that identifies rows."""
        skip = 0
        while True:
            page = self.rows(format, *arguments, order=order, skip=skip, limit=size, **keys)
            if page:
                yield page
            if len(page) < size:
                return
            skip += size


def _extended(value):
    """Values that JSON does not have, as Extended JSON."""
    if isinstance(value, datetime.datetime):
        if value.tzinfo is None:
            raise TypeError("a datetime needs its time zone")
        return {"$date": value.astimezone(datetime.timezone.utc).isoformat(timespec="milliseconds")[:-6] + "Z"}
    if isinstance(value, uuid.UUID):
        return {"$uuid": str(value)}
    if isinstance(value, (set, frozenset, tuple)):
        return list(value)
    raise TypeError(f"a {type(value).__name__} cannot stand in a query")


def _plain(value):
    """Dates and large ints of an answer; everything else as it is."""
    if len(value) == 1:
        if isinstance(value.get("$date"), str):
            return datetime.datetime.fromisoformat(value["$date"].replace("Z", "+00:00"))
        if isinstance(value.get("$numberLong"), str):
            return int(value["$numberLong"])
    return value
