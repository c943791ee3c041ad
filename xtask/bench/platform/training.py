"""What a training costs elsewhere: implicit's ALS, numpy's inverse for EASE.

usage: training.py als|ease RATINGS

RATINGS is a folder with loo.json; the training is on its train and val parts, as the one that it is compared with.
Prints one JSON object with the processor seconds of the fit and of the whole process.
"""

import json
import resource
import sys


def cpu():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def main():
    which, ratings = sys.argv[1:]
    import numpy
    import scipy.sparse

    with open(f"{ratings}/loo.json") as file:
        split = json.load(file)
    users, items = [], []
    for user, taken in split["train"].items():
        for item in taken + [split["val"][user]]:
            users.append(int(user) - 1)
            items.append(item - 1)
    shape = (split["n_users"], split["n_items"])
    matrix = scipy.sparse.csr_matrix((numpy.ones(len(users), dtype=numpy.float32), (users, items)), shape=shape)
    if which == "als":
        import implicit

        model = implicit.als.AlternatingLeastSquares(
            factors=64, iterations=15, regularization=5, alpha=2, random_state=1
        )
        since = cpu()
        model.fit(matrix, show_progress=False)
    else:
        since = cpu()
        gram = numpy.asarray((matrix.T @ matrix).todense())
        gram[numpy.diag_indices_from(gram)] += 200
        inverse = numpy.linalg.inv(gram)
        weights = inverse / -numpy.diag(inverse)
        weights[numpy.diag_indices_from(weights)] = 0
    print(json.dumps({"fit": cpu() - since, "whole": cpu()}))


main()
