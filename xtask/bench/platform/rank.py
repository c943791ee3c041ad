"""Rankings of platform-sim over a made-up catalogue: processor time and time on the wall of each, and memory.

usage: rank.py prepare ADDRESS KEY ITEMS
       rank.py measure ADDRESS KEY PID ITEMS REQUESTS

`prepare` stores the catalogue and trains a model of 64 factors; `measure` asks it, best in a server that was started
since, so that its memory is that of serving. Each prints one JSON object.
"""

import json
import random
import sys
import time

from client import Failed, Server, quantile

MODEL = "bench_rank"
ITEM_COLUMNS = {
    "item_id": "String",
    "price": "Double",
    "brand": "String",
    "tags": "Array(String)",
    "in_stock": "Bool",
    "created_at": "DateTime",
}
EVENT_COLUMNS = {"user_id": "String", "item_id": "String", "created_at": "DateTime"}
START = 1_760_000_000
BRANDS, TAGS = 200, 50


def item(number):
    return f"i{number:07}"


def users(items):
    return max(2_000, items // 50)


def catalogue(items):
    chance = random.Random(1)
    for number in range(items):
        yield {
            "item_id": item(number),
            "price": round(chance.random() * 100, 2),
            "brand": f"brand {chance.randrange(BRANDS)}",
            "tags": [f"t{chance.randrange(TAGS)}", f"t{chance.randrange(TAGS)}"],
            "in_stock": chance.random() < 0.8,
            "created_at": START + chance.randrange(10_000_000),
        }


def interactions(items):
    """Two per item; a few items are taken often and most hardly ever. People have one of 40 tastes."""
    chance = random.Random(2)
    people = users(items)
    for number in range(2 * items):
        person = number % people
        if chance.random() < 0.5:
            taken = int(items * chance.random() ** 3)
        else:
            taste = person % 40
            taken = min(items - 1, int(items * (taste + chance.random() ** 2) / 40))
        yield {"user_id": f"u{person}", "item_id": item(taken), "created_at": START + number}


def prepare(server, items):
    server.dataset("bench_items", ITEM_COLUMNS)
    server.insert("bench_items", catalogue(items))
    server.dataset("bench_events", EVENT_COLUMNS)
    server.insert("bench_events", interactions(items))
    since = time.monotonic()
    # The set-up of version 2 trains nothing but what is named.
    status, answer = server.call("POST", "/v1/models/", {
        "version": "v2",
        "name": MODEL,
        "data": {
            "interaction_dataset": {
                "type": "query",
                "query": "SELECT user_id, item_id, 1 AS label, created_at FROM bench_events",
            },
            "item_dataset": {"type": "table", "name": "bench_items"},
        },
        "training": {"schedule": "@once", "models": [{"name": "als", "policy_type": "als", "factors": 64}]},
    })
    if status != 200:
        raise Failed(f"the model was answered {status}: {answer[:2000].decode(errors='replace')}")
    server.wait_until_active(f"/v1/models/{MODEL}")
    print(json.dumps({"trained_after_s": time.monotonic() - since}))


def filters(chance):
    """Filters of all kinds, none of them twice in a row: most things pass, a half, a tenth, a two-hundredth."""
    price = round(chance.random() * 100, 2)
    tag = f"t{chance.randrange(TAGS)}"
    brand = f"brand {chance.randrange(BRANDS)}"
    return chance.choices(
        [
            f"in_stock IS TRUE AND price < {20 + 0.8 * price:.2f}",
            f"price BETWEEN {price / 2:.2f} AND {price / 2 + 50:.2f} AND NOT brand = '{brand}'",
            f"array_has_any(tags, ['{tag}', 't7', 't11']) AND in_stock IS TRUE",
            f"brand = '{brand}'",
        ],
        weights=[4, 3, 2, 1],
    )[0]


def measure(server, items, requests):
    chance = random.Random(3)
    path = f"/v1/models/{MODEL}/rank"
    walls, cpus = [], []
    cpu = 0.0
    for number in range(-50, requests):
        body = json.dumps({
            "user_id": f"u{chance.randrange(users(items))}",
            "filter_predicate": filters(chance),
            "return_metadata": True,
            "config": {"limit": 20},
        }).encode()
        if number == 0:
            cpu = server.cpu()
        before, since = server.cpu_of_threads(), time.monotonic()
        status, answer = server.call("POST", path, body)
        wall, after = time.monotonic() - since, server.cpu_of_threads()
        if status != 200:
            raise Failed(f"{status}: {answer.decode(errors='replace')}")
        result = json.loads(answer)
        if len(result["ids"]) != 20 or len(result["metadata"]) != 20:
            raise Failed(f"{len(result['ids'])} results for {body.decode()}")
        if number >= 0:
            walls.append(wall)
            if before is not None and after is not None:
                cpus.append(after - before)
    cpu = server.cpu() - cpu
    memory, of_files = server.memory()
    print(json.dumps({
        "wall_p50_ms": quantile(walls, 0.5) * 1e3,
        "wall_p95_ms": quantile(walls, 0.95) * 1e3,
        "cpu_ms": cpu / requests * 1e3,
        "cpu_p95_ms": quantile(cpus, 0.95) * 1e3 if cpus else None,
        "requests_per_cpu_second": requests / cpu if cpu else None,
        "memory_bytes": memory,
        "memory_of_files_bytes": of_files,
        "vector_bytes": items * 64 * 4,
    }))


def main():
    what, address, key, *rest = sys.argv[1:]
    if what == "prepare":
        prepare(Server(address, key), int(rest[0]))
    else:
        measure(Server(address, key, rest[0]), int(rest[1]), int(rest[2]))


main()
