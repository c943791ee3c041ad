"""How good the rankings of platform-sim are, asked through its API: nDCG@10 on a split of real ratings.

usage: quality.py ADDRESS KEY RATINGS SPLIT FOLDER

RATINGS holds interactions.tsv, SPLIT.json and evaluate.py, which does the counting. SPLIT is strong (people whom the
training has not seen; what they took is sent with the question) or loo (the last item of everybody is held back).
Rankings are kept in FOLDER. Prints one JSON object: a value per model, or the reason why there is none.
"""

import json
import subprocess
import sys

from client import Failed, Server

# Settings are the defaults, but for those that were chosen on the validation part for a history that ends in what is
# asked for: there the latest items say more.
POLICIES = {
    "strong": {
        "popular": {"policy_type": "popular"},
        "als": {"policy_type": "als", "factors": 64},
        "ease": {"policy_type": "ease"},
        "ngram": {"policy_type": "ngram"},
    },
    "loo": {
        "popular": {"policy_type": "popular"},
        "als": {"policy_type": "als", "factors": 64},
        "ease": {"policy_type": "ease", "history_half_life": 2},
        "ngram": {"policy_type": "ngram"},
    },
}
# The best hundred are scored; whatever somebody has taken is left out before.
ANSWERS = 100


def read(ratings, split):
    """The training's events as (user, item, time), and what is known of everybody who is asked for."""
    with open(f"{ratings}/{split}.json") as file:
        parts = json.load(file)
    sequences = {}
    with open(f"{ratings}/interactions.tsv") as file:
        for line in file:
            user, item, place = line.split("\t")[:3]
            sequences.setdefault(user, []).append((int(place), item))
    known = {}
    events = []
    if split == "loo":
        for user, held in parts["test"].items():
            known[user] = [item for _, item in sorted(sequences[user]) if item != str(held)]
            events += [(user, item, place) for place, item in sequences[user] if item != str(held)]
    else:
        asked = set(parts["val"]) | set(parts["test"])
        for user, sequence in sequences.items():
            if user not in asked:
                events += [(user, item, place) for place, item in sequence]
        for user, of in parts["test"].items():
            known[user] = [str(item) for item in of["fold_in"]]
    return events, known


def evaluate(ratings, split, folder, name, rankings):
    path = f"{folder}/{split}-{name.replace(' ', '-')}.jsonl"
    with open(path, "w") as file:
        for user, items in rankings.items():
            print(json.dumps({"user": int(user), "items": [int(item) for item in items]}), file=file)
    command = [sys.executable, f"{ratings}/evaluate.py", f"{ratings}/{split}.json", path, "--boot", "0"]
    result = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    if result["missing_users"] or result["seen_items_removed"]:
        raise Failed(f"rankings lack users or have what was seen: {result}")
    return result["ndcg@10"]


def unseen(items):
    return "item_id NOT IN (" + ", ".join(f"'{item}'" for item in items) + ")"


def version_1(server, split, known):
    """What version 1's calls have of these models: the toplist, and the factors of somebody known."""
    model = f"bench_{split}_v1"
    server.ok("POST", "/v1/models/", {
        "model": {"name": model},
        "connectors": [{"type": "Dataset", "id": "ev", "name": f"bench_{split}"}],
        "fetch": {"events": "SELECT user_id, item_id, 1 AS label, created_at FROM ev"},
    })
    server.wait_until_active(f"/v1/models/{model}")
    popular, als = {}, {}
    for user, items in known.items():
        asked = {"filter_predicate": unseen(items), "config": {"limit": ANSWERS}}
        popular[user] = server.ok("POST", f"/v1/models/{model}/retrieve", asked)["ids"]
        if split == "loo":
            asked["user_id"] = user
        else:
            asked["interactions"] = [{"item_id": item} for item in items]
        als[user] = server.ok("POST", f"/v1/models/{model}/rank", asked)["ids"]
    return {"popular": popular, "als": als}


def version_2(server, split, known):
    """Every policy as the whole value model, over all items."""
    model = f"bench_{split}_v2"
    policies = POLICIES[split]
    server.ok("POST", "/v1/models/", {
        "version": "v2",
        "name": model,
        "data": {"interaction_dataset": {
            "type": "query",
            "query": f"SELECT user_id, item_id, 1 AS label, created_at FROM bench_{split}",
        }},
        "training": {"schedule": "@once", "models": [{"name": name, **of} for name, of in policies.items()]},
    })
    server.wait_until_active(f"/v1/models/{model}")
    rankings = {name: {} for name in policies}
    for user, items in known.items():
        for name in policies:
            score = {"type": "score_ensemble", "value_model": name}
            if split == "loo":
                score["input_user_id"] = user
            else:
                score["input_interactions_item_ids"] = items
            query = {
                "type": "rank_items",
                "model": model,
                "retrieve": [{"type": "column_order", "columns": [{"name": "item_id"}], "limit": 10000}],
                "filter": [{"type": "expression", "expression": unseen(items)}],
                "score": score,
                "limit": ANSWERS,
            }
            answer = server.ok("POST", "/v1/query", {"query": query, "return_metadata": False})
            rankings[name][user] = [result["id"] for result in answer["results"]]
    return rankings


def main():
    address, key, ratings, split, folder = sys.argv[1:]
    server = Server(address, key)
    events, known = read(ratings, split)
    columns = {"user_id": "String", "item_id": "String", "created_at": "DateTime"}
    server.dataset(f"bench_{split}", columns)
    server.insert(f"bench_{split}", (
        {"user_id": user, "item_id": item, "created_at": time} for user, item, time in events
    ))
    values = {}
    for version, ask in [("v1", version_1), ("v2", version_2)]:
        try:
            for name, rankings in ask(server, split, known).items():
                values[f"{version} {name}"] = evaluate(ratings, split, folder, f"{version} {name}", rankings)
        except Failed as failed:
            values[f"{version}"] = str(failed)
    print(json.dumps(values))


main()
