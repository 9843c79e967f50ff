"""What Python's libraries make of the published numbers without asking anybody, and how long they take: a line of JSON each.

    python read.py <table of numbers>
"""

import csv
import importlib.metadata
import json
import statistics
import sys
import time

import pyvat
import stdnum.eu.vat
import stdnum.gb.vat

ROUNDS = 21
READINGS_A_ROUND = 10

with open(sys.argv[1], encoding="utf-8") as table:
    ROWS = list(csv.DictReader(table))


def stdnum_is_good(number: str) -> bool:
    """Form and check digits. The United Kingdom has a module of its own."""
    if number.startswith("GB"):
        return stdnum.gb.vat.is_valid(number)
    return stdnum.eu.vat.is_valid(number)


def measure(package: str, note: str, is_good) -> None:
    right = sum(is_good(row["number"]) == (row["expected"] == "pass") for row in ROWS)
    numbers = [row["number"] for row in ROWS]
    rounds = []
    for _ in range(ROUNDS):
        started = time.perf_counter_ns()
        for _ in range(READINGS_A_ROUND):
            for number in numbers:
                is_good(number)
        rounds.append((time.perf_counter_ns() - started) / (READINGS_A_ROUND * len(numbers)))
    library = f"{package} {importlib.metadata.version(package)}{note}"
    print(json.dumps({"library": library, "nanoseconds": statistics.median(rounds), "right": right}))


measure("python-stdnum", "", stdnum_is_good)
measure("pyvat", ", form only", pyvat.is_vat_number_format_valid)
