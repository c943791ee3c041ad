"""Generated bodies that speak of what the server has."""

import server

PREDICATES = [
    "price < 10",
    "genre IN ('noir', 'drama') AND NOT year BETWEEN 1930 AND 1935",
    "title LIKE '%vienna%' OR created_at IS NULL",
    "CAST(year AS STRING) = '1921'",
]
USER_PREDICATES = ["age >= 25", "city = 'a'"]
VALUE_MODELS = [
    "als",
    "0.7 * als + 0.3 * trend",
    "log(1 + item.price) - item._derived_popular_rank",
    "als if item.year > 1930 else -1",
]
STATEMENTS = [
    "SELECT item_id, count(*) AS views FROM events GROUP BY item_id",
    "SELECT f.item_id, f.title, e.user_id FROM films f JOIN events e ON f.item_id = e.item_id",
    "SELECT user_id, age + 1 AS older FROM people",
]
SCHEDULES = ["@once", "@hourly", "@daily", "@weekly", "30 4 * * mon-fri"]

# Settings that make a training long.
HEAVY = {"factors", "iterations", "solver_steps", "dimension", "max_items", "neighbours"}


def mend(label, body, fresh_names, chance):
    operation = label.removeprefix("POST /models/{model_name}/")
    if operation != label:
        return inference(body, chance)
    match label:
        case "POST /datasets/":
            return with_fields(body, name=next(fresh_names), schedule_interval=chance.choice(SCHEDULES), start_date="2026-01-31")
        case "PATCH /datasets":
            return {"name": "people", "description": "People " + next(fresh_names)}
        case "POST /datasets/{dataset_name}/insert":
            return {"data": [{"text": str(row), "number": len(row)} for row in body.get("data", [])]}
        case "POST /transforms":
            return transform(body, fresh_names, chance)
        case "POST /models":
            return model(body, next(fresh_names), chance)
        case "PATCH /models":
            return model(body, "shop", chance)
        case "POST /query":
            return query_request(body, chance)
        case "POST /queries/{query_name}":
            return with_fields(body, parameters={"uid": chance.choice(server.USERS)} if chance.random() < 0.6 else {"most": 5})
    return body


def with_fields(body, **fields):
    """Other values for the fields that are there."""
    return {name: fields.get(name, value) if value is not None else None for name, value in body.items()}


def inference(body, chance):
    user, item = chance.choice(server.USERS), chance.choice(server.ITEMS)
    body = with_fields(
        body,
        user_id=user,
        user_id_query=user,
        item_id=item,
        item_ids=chance.sample(server.ITEMS, 3),
        user_ids=chance.sample(server.USERS[:-2], 3),
        interactions=[{"item_id": item}],
        item_features={"item_id": ["new"], "genre": ["noir"]},
        attribute_name=chance.choice(["genre", "year"]),
        dimension=chance.randint(1, 8),
        filter_predicate=chance.choice(PREDICATES),
    )
    if isinstance(body.get("config"), dict):
        body["config"] = with_fields(body["config"], diversity_attributes=["genre"])
    return body


def transform(body, fresh_names, chance):
    return with_fields(
        body,
        name=next(fresh_names),
        sql_query=chance.choice(STATEMENTS),
        source_dataset="films",
        source_columns=["title"],
        source_columns_in_output=["item_id"],
        enriched_output_columns=["keywords"],
    )


def model(body, name, chance):
    if "version" in body:
        return model_v2(body, name, chance)
    setup = server.setup_v1(name)
    settings = with_fields(body.get("model", {}), name=name, train_schedule=chance.choice(SCHEDULES), text_index={"item_fields": ["title"]})
    if isinstance(settings.get("inference_config"), dict):
        settings["inference_config"] = with_fields(settings["inference_config"], diversity_attributes=["genre"])
    return {**setup, "model": {**settings, "name": name}}


def model_v2(body, name, chance):
    setup = server.setup_v2(name)
    body = {**body, "name": name, "data": setup["data"], "queries": setup["queries"]}
    if isinstance(body.get("training"), dict):
        training = with_fields(body["training"], schedule=chance.choice(SCHEDULES), tuning={"total_jobs": 2})
        policies = [light(policy, f"p{place}") for place, policy in enumerate((training.get("models") or [])[:3])]
        training["models"] = setup["training"]["models"] + policies
        body["training"] = training
    else:
        body["training"] = setup["training"]
    return body


def light(policy, name):
    if policy.get("policy_type", "").startswith("score"):
        return {**policy, "name": name, "value_model": "als"}
    return {field: value for field, value in {**policy, "name": name}.items() if field not in HEAVY and not isinstance(value, dict)}


def query_request(body, chance):
    body = {**body, "parameters": {"most": 5}}
    query = body.get("query")
    if isinstance(query, dict) and isinstance(query.get("type"), str) and query["type"] != "rank":
        body["query"] = query_of_shop(query, chance)
    else:
        body["query"] = {"type": "rank_items", "retrieve": [latest("item")]}
    return body


def latest(entity):
    return {"type": "column_order", "columns": [{"name": f"{entity}_id"}], "limit": "$param.most"}


def query_of_shop(query, chance):
    entity = "user" if query["type"] == "rank_users" else "item"
    columns = ["age"] if entity == "user" else ["title", "price"]
    query = without_references(query)
    query = with_fields(query, model="shop", columns=columns, embeddings=["vectors"], input_attribute="genre", input_user_id=chance.choice(server.USERS))
    for stage in ("retrieve", "filter", "reorder"):
        if isinstance(query.get(stage), list):
            query[stage] = [step(found, f"{stage}{place}", entity, chance) for place, found in enumerate(query[stage])]
    if isinstance(query.get("score"), dict):
        query["score"] = step(query["score"], "score", entity, chance)
    if query["type"] in ("rank_items", "rank_users"):
        query["retrieve"] = [*query.get("retrieve", []), latest(entity)]
    return query


def step(found, name, entity, chance):
    user, item = chance.choice(server.USERS), chance.choice(server.ITEMS)
    predicate = chance.choice(USER_PREDICATES if entity == "user" else PREDICATES)
    if found.get("type") == "prebuilt" and entity == "user":
        return {"type": "truncate"}
    found = with_fields(
        found,
        name=name,
        where=predicate,
        expression=predicate,
        columns=[{"name": "age" if entity == "user" else "year"}],
        input_text_query="vienna night",
        mode={"type": "lexical"},
        embedding_ref="vectors",
        filter_ref="seen",
        value_model=chance.choice(VALUE_MODELS) if entity == "item" else "user.age",
        input_user_id=user,
        input_interactions_item_ids=[item],
        diversity_attributes=["city" if entity == "user" else "genre"],
        text_encoding_embedding_ref=None,
        item_ids=chance.sample(server.ITEMS, 5),
        item_attributes=[{"item_id": "m1", "genre": "noir", "year": 1950, "price": 2.5}],
    )
    if isinstance(found.get("query_encoder"), dict):
        found["query_encoder"] = encoder(found["query_encoder"], user, item)
    return found


def encoder(found, user, item):
    if str(found.get("type")).endswith("_attribute_pooling"):
        return {"type": "precomputed_item", "input_item_id": item}
    return with_fields(found, input_user_id=user, input_item_id=item)


def without_references(value):
    """The defaults in place of parameters that nobody gives a value."""
    is_reference = lambda found: isinstance(found, str) and found.startswith("$param.")
    if isinstance(value, dict):
        return {name: without_references(found) for name, found in value.items() if not is_reference(found)}
    if isinstance(value, list):
        return [without_references(found) for found in value if not is_reference(found)]
    return value
