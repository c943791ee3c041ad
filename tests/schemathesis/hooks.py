"""What schemathesis needs to know of this server.

Requests that are generated from a schema alone name things that do not exist, and stay in 404s. Before a request is
sent, the names in it become those of things that are there, and expressions become ones that can be evaluated; one
request in eight is left as it was generated, and whatever was made wrong on purpose stays wrong.

SIFTWREN_TEST_URL, SIFTWREN_TEST_KEY   the server, with /v1, and a key of scope admin
SIFTWREN_TEST_DOCUMENT                 v1 or v2
SIFTWREN_TEST_REPORT                   a file for the counts: cases by status and by operation
"""

import atexit
import collections
import itertools
import json
import os
import random
import zlib

import schemathesis
from schemathesis.core.parameters import ParameterLocation
from schemathesis.specs.openapi import checks

import bodies
import server

DOCUMENT = os.environ["SIFTWREN_TEST_DOCUMENT"]

# A key that is missing or does not have 40 characters is a 422 in the specification; one that nobody was given is a 401.
checks.AUTH_REJECTION_STATUSES = checks.AUTH_REJECTION_STATUSES | {422}

cases = collections.Counter()
fresh_names = (f"made-{number}" for number in itertools.count())


@schemathesis.hook
def after_load_schema(context, schema):
    server.seed_data()
    server.seed_model(server.setup_v1("shop") if DOCUMENT == "v1" else server.setup_v2("shop"))


@schemathesis.hook
def before_call(context, case, kwargs):
    """Known names in place of generated ones, in the parts that shall be right."""
    label = case.operation.label
    # The body of a request without one prints its address: what is drawn must not hang on it.
    body = case.body if isinstance(case.body, (dict, list)) else None
    chance = random.Random(zlib.crc32(repr((label, case.path_parameters, body)).encode()))
    if takes_away(label, case.path_parameters):
        # An example of the document may name what the other requests need.
        case.path_parameters = {parameter: thrown_away(parameter) for parameter in case.path_parameters}
        return
    if chance.random() < 1 / 8:
        return
    if not is_wrong(case, ParameterLocation.PATH):
        for parameter in case.path_parameters or {}:
            case.path_parameters[parameter] = existing(parameter, label, chance)
    if not is_wrong(case, ParameterLocation.QUERY) and "user_id" in (case.query or {}):
        case.query["user_id"] = chance.choice(server.USERS)
    if not is_wrong(case, ParameterLocation.BODY) and isinstance(case.body, dict):
        case.body = bodies.mend(label, case.body, fresh_names, chance)


@schemathesis.hook
def after_call(context, case, response):
    label = case.operation.label
    cases[label, response.status_code] += 1
    # What was made is taken away again: a thousand models in training say no more than a few.
    if response.status_code == 200 and label in ("POST /models", "POST /datasets/", "POST /transforms"):
        body = json.loads(response.request.body)
        name = body["model"]["name"] if "model" in body else body["name"]
        server.call("DELETE", f"/{label.split('/')[1]}/{name}")


def is_wrong(case, location):
    return case.meta is not None and case.meta.is_negative_at(location)


def takes_away(label, path_parameters):
    return label.startswith("DELETE ") and any(name in server.SEEDED for name in (path_parameters or {}).values())


def existing(parameter, label, chance):
    if label.startswith("DELETE "):
        return thrown_away(parameter)
    match parameter:
        case "dataset_name":
            # Rows that fit none of the seeded datasets go into one that takes any.
            return "films" if not label.endswith("/insert") else "anything"
        case "transform_name":
            return "seen"
        case "query_name":
            return chance.choice(["shop_feed", "shop_latest"])
        case _:
            return "shop"


def thrown_away(parameter):
    """The name of something that may be deleted."""
    name = next(fresh_names)
    match parameter:
        case "dataset_name":
            server.must("POST", "/datasets/", {"name": name, "schema_type": "CUSTOM"})
        case "transform_name":
            server.must("POST", "/transforms", {"name": name, "transform_type": "SQL", "sql_query": "SELECT item_id FROM films"})
        case _:
            server.must("POST", "/models", server.setup_v1(name))
    return name


@atexit.register
def report():
    by_status = collections.Counter()
    by_operation = collections.defaultdict(collections.Counter)
    for (label, status), count in cases.items():
        by_status[str(status)] += count
        by_operation[label][str(status)] += count
    with open(os.environ["SIFTWREN_TEST_REPORT"], "w") as file:
        json.dump({"statuses": by_status, "operations": by_operation}, file, indent=1, sort_keys=True)
