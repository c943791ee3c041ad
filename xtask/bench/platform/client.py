"""What the measurements of platform-sim have in common: calls, waiting, processor time. Standard library only."""

import http.client
import json
import os
import time


class Failed(Exception):
    """An answer that is not the one that was wanted."""


class Server:
    """One connection that is kept open. With a process id it can tell what the server used."""

    def __init__(self, address, key, pid=None):
        self.connection = http.client.HTTPConnection(address, timeout=3600)
        self.key = key
        self.pid = pid

    def call(self, method, path, body=None):
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
        self.connection.request(method, path, body, {"x-api-key": self.key, "content-type": "application/json"})
        response = self.connection.getresponse()
        return response.status, response.read()

    def ok(self, method, path, body=None):
        status, answer = self.call(method, path, body)
        if status != 200:
            raise Failed(f"{method} {path} was answered {status}: {answer[:2000].decode(errors='replace')}")
        return json.loads(answer)

    def wait_until_active(self, path):
        while True:
            details = self.ok("GET", path)
            if details["status"] == "ACTIVE":
                return details
            if details["status"] == "ERROR":
                raise Failed(f"{path} ended in ERROR: {details.get('error_message')}")
            time.sleep(0.1)

    def dataset(self, name, columns):
        body = {"name": name, "schema_type": "CUSTOM", "column_schema": columns}
        self.ok("POST", "/v1/datasets/", body)
        self.wait_until_active(f"/v1/datasets/{name}")

    def insert(self, name, rows, size=5000):
        batch = []
        for row in rows:
            batch.append(row)
            if len(batch) == size:
                self.ok("POST", f"/v1/datasets/{name}/insert", {"data": batch})
                batch = []
        if batch:
            self.ok("POST", f"/v1/datasets/{name}/insert", {"data": batch})

    def cpu(self):
        """Seconds of user and system time since the start, in steps of a hundredth."""
        with open(f"/proc/{self.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def cpu_of_threads(self):
        """Seconds that the threads that live now have run, in nanoseconds' steps; `None` where the kernel keeps none."""
        total = 0
        try:
            for thread in os.listdir(f"/proc/{self.pid}/task"):
                with open(f"/proc/{self.pid}/task/{thread}/schedstat") as file:
                    total += int(file.read().split()[0])
        except OSError:
            return None
        return total / 1e9

    def memory(self):
        """Resident bytes: all, and of these the ones of files."""
        with open(f"/proc/{self.pid}/status") as file:
            fields = dict(line.split(":", 1) for line in file)
        return [int(fields[name].split()[0]) * 1024 for name in ("VmRSS", "RssFile")]


def quantile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * share))]
