"""The server under test: calls to it, and the data that generated requests find there."""

import json
import os
import random
import time
import urllib.error
import urllib.request

URL = os.environ["SIFTWREN_TEST_URL"]
KEY = os.environ["SIFTWREN_TEST_KEY"]
PATIENCE_SECONDS = 120

USERS = [f"u{number}" for number in range(20)]
ITEMS = [f"m{number}" for number in range(30)]
GENRES = ["noir", "western", "drama", "comedy"]
# What other requests need: datasets, a transform and the model.
SEEDED = {"films", "people", "events", "anything", "seen", "shop"}
WORDS = ["vienna", "metropolis", "river", "night", "train", "garden"]


def call(method, path, body=None):
    """Status and answer."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"x-api-key": KEY, "content-type": "application/json"}
    request = urllib.request.Request(URL + path, data=data, method=method, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE_SECONDS) as response:
            return response.status, json.load(response)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def must(method, path, body=None):
    status, answer = call(method, path, body)
    if status != 200:
        raise RuntimeError(f"{method} {path}: {status} {answer}")
    return answer


def wait_until_active(path):
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        details = must("GET", path)
        if details["status"] == "ACTIVE":
            return
        if details["status"] == "ERROR" or time.monotonic() > deadline:
            raise RuntimeError(f"{path}: {details}")
        time.sleep(0.05)


def seed_data():
    """Films, who watched them, and what is derived from that."""
    chance = random.Random(20260131)
    columns = {
        "films": {"item_id": "String", "title": "String", "genre": "String", "year": "Int32", "price": "Double", "created_at": "DateTime"},
        "people": {"user_id": "String", "city": "String", "age": "Int32"},
        "events": {"user_id": "String", "item_id": "String", "label": "Double", "created_at": "DateTime"},
    }
    for name, schema in columns.items():
        must("POST", "/datasets/", {"name": name, "schema_type": "CUSTOM", "column_schema": schema})
        wait_until_active(f"/datasets/{name}")
    day = 86_400
    start = 1_767_225_600
    films = [
        {
            "item_id": item,
            "title": " ".join(chance.sample(WORDS, 3)),
            "genre": chance.choice(GENRES),
            "year": 1920 + number,
            "price": number / 2,
            "created_at": start - number * day,
        }
        for number, item in enumerate(ITEMS)
    ]
    people = [{"user_id": user, "city": chance.choice(["a", "b"]), "age": 20 + number} for number, user in enumerate(USERS)]
    events = [
        {
            "user_id": user,
            "item_id": ITEMS[min(int(chance.expovariate(0.12)), len(ITEMS) - 1)],
            "label": 1,
            "created_at": start + chance.randrange(30 * day),
        }
        for user in USERS[:-2]
        for _ in range(8)
    ]
    for name, rows in {"films": films, "people": people, "events": events}.items():
        must("POST", f"/datasets/{name}/insert", {"data": rows})
    must("POST", "/datasets/", {"name": "anything", "schema_type": "CUSTOM"})
    wait_until_active("/datasets/anything")
    must("POST", "/transforms", {"name": "seen", "transform_type": "SQL", "sql_query": "SELECT user_id, item_id FROM events"})
    wait_until_active("/transforms/seen")


def setup_v1(name):
    return {
        "model": {"name": name, "text_index": {"item_fields": ["title"]}},
        "connectors": [
            {"type": "Dataset", "id": "e", "name": "events"},
            {"type": "Dataset", "id": "f", "name": "films"},
            {"type": "Dataset", "id": "p", "name": "people"},
        ],
        "fetch": {
            "events": "SELECT user_id, item_id, label, created_at FROM e",
            "items": "SELECT item_id, title, genre, year, price, created_at FROM f",
            "users": "SELECT user_id, city, age FROM p",
        },
    }


def setup_v2(name):
    user = {"input_user_id": "$param.uid"}
    similar = {
        "type": "item_similarity",
        "embedding_ref": "vectors",
        "query_encoder": {"type": "interaction_pooling", **user},
    }
    return {
        "version": "v2",
        "name": name,
        "data": {
            "interaction_dataset": {"type": "table", "name": "events"},
            "item_dataset": {"type": "table", "name": "films"},
            "user_dataset": {"type": "table", "name": "people"},
            "filters": [{"name": "seen", "filter_dataset": {"type": "table", "name": "seen"}, "filter_type": {"type": "personal"}}],
            "index": {
                "lexical_search": {"tokenizer": {"type": "stemmer"}, "item_fields": ["title"], "user_fields": ["city"]},
                "embeddings": [{"name": "vectors", "encoder": {"type": "trained_model", "model_ref": "als"}}],
            },
        },
        "training": {
            "models": [
                {"name": "als", "policy_type": "als", "factors": 8, "iterations": 3},
                {"name": "trend", "policy_type": "recently_popular"},
            ],
            "evaluation": {"enable": True, "evaluation_top_k": 5},
        },
        "queries": {
            f"{name}_feed": {"query": {"type": "rank_items", "retrieve": [similar]}, "params": {"uid": {}}},
            f"{name}_latest": {
                "query": {
                    "type": "rank_items",
                    "retrieve": [
                        {"type": "item_column_order", "columns": [{"name": "created_at", "ascending": False}], "limit": "$param.most"}
                    ],
                },
                "params": {"most": {"default": 10}},
            },
        },
    }


def seed_model(setup):
    must("POST", "/models", setup)
    name = setup.get("name") or setup["model"]["name"]
    wait_until_active(f"/models/{name}")
