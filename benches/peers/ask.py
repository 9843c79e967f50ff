"""Asks VIES about numbers with one of Python's libraries, each number once: a line of JSON with how many it got a verdict on.

    python ask.py <pyvat | python-stdnum> <address of the host> <how many at once> <file with a number a line>
"""

import concurrent.futures
import importlib.metadata
import json
import os
import sys
import tempfile
import time

import pyvat
import stdnum.eu.vat

LIBRARY, HOST, AT_ONCE, NUMBERS = sys.argv[1:]
# Asked first and not counted: what is loaded once is loaded then.
FIRST = "ATU13585627"


def ask_with_pyvat(number: str) -> bool:
    return pyvat.check_vat_number(number).is_valid is not None


def ask_with_stdnum(number: str) -> bool:
    return stdnum.eu.vat.check_vies(number)["valid"] is not None


def has_verdict(number: str) -> bool:
    try:
        return ASK[LIBRARY](number)
    except Exception:  # Whatever a library raises, its caller has no verdict.
        return False


ASK = {"pyvat": ask_with_pyvat, "python-stdnum": ask_with_stdnum}
# The addresses that the two know, on another host.
pyvat.VIES_REGISTRY.CHECK_VAT_SERVICE_URL = f"{HOST}/taxation_customs/vies/services/checkVatService"
stdnum.eu.vat.vies_wsdl = f"{HOST}/taxation_customs/vies/checkVatService.wsdl"

# A description of the service that was kept from elsewhere would name another host.
folder = tempfile.TemporaryDirectory()
os.environ["XDG_CACHE_HOME"] = folder.name

with open(NUMBERS, encoding="utf-8") as file:
    numbers = file.read().split()
if not has_verdict(FIRST):
    sys.exit(f"{LIBRARY} gets no verdict at all")
with concurrent.futures.ThreadPoolExecutor(int(AT_ONCE)) as pool:
    started = time.perf_counter()
    answered = sum(pool.map(has_verdict, numbers))
    seconds = time.perf_counter() - started
library = f"{LIBRARY} {importlib.metadata.version(LIBRARY)}"
print(json.dumps({"library": library, "seconds": seconds, "answered": answered}))
