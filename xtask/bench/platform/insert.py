"""Rows that a running platform-sim stores durably in a second.

usage: insert.py ADDRESS KEY PID CLIENTS SECONDS ROWS

ROWS is the number of rows in a batch. Only batches that were acknowledged count. Prints one JSON object.
"""

import json
import sys
import threading
import time

from client import Server, quantile

COLUMNS = {"user_id": "String", "item_id": "String", "label": "Double", "created_at": "DateTime", "n": "Int64"}
# Different bodies, so that no batch is the one before.
BODIES = 8


def body(size, number):
    rows = [
        {
            "user_id": f"u{place * 7 % 4001}",
            "item_id": f"i{(place * 13 + number) % 2000}",
            "label": place % 10 / 2,
            "created_at": 1769860800 + place,
            "n": place,
        }
        for place in range(size)
    ]
    return json.dumps({"data": rows}).encode()


def main():
    address, key, pid, clients, seconds, size = sys.argv[1:]
    clients, seconds, size = int(clients), float(seconds), int(size)
    server = Server(address, key, pid)
    server.dataset("bench_insert", COLUMNS)
    bodies = [body(size, number) for number in range(BODIES)]
    done, waits, failures = [0] * clients, [], []

    def work(number, until):
        own = Server(address, key)
        try:
            while time.monotonic() < until:
                since = time.monotonic()
                own.ok("POST", "/v1/datasets/bench_insert/insert", bodies[(number + done[number]) % BODIES])
                waits.append(time.monotonic() - since)
                done[number] += 1
        except Exception as error:
            failures.append(error)

    # The first batches of a new dataset warm the server up.
    work(0, time.monotonic() + 0.5)
    done[0] = 0
    waits.clear()
    cpu, since = server.cpu(), time.monotonic()
    threads = [threading.Thread(target=work, args=(number, since + seconds)) for number in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]
    elapsed, cpu = time.monotonic() - since, server.cpu() - cpu
    rows = sum(done) * size
    print(json.dumps({
        "rows_per_second": rows / elapsed,
        "rows_per_cpu_second": rows / cpu if cpu else None,
        "batches": sum(done),
        "p50_ms": quantile(waits, 0.5) * 1e3,
        "p95_ms": quantile(waits, 0.95) * 1e3,
    }))


main()
