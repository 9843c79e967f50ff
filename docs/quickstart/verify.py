import json
import os
from urllib.error import HTTPError
from urllib.request import Request, urlopen

question = Request(
    os.environ["CROSSVAT_URL"] + "/v1/verify-vat",
    headers={
        "Authorization": "Bearer " + os.environ["CROSSVAT_KEY"],
        "Content-Type": "application/json",
    },
    data=json.dumps(
        {"vatNumbers": ["GB999910095", "de 999 991 005", "FR76999992001"]}
    ).encode(),
)

try:
    with urlopen(question, timeout=35) as answer:
        results = json.load(answer)["results"]
except HTTPError as error:
    # The code is stable; with a 503 "unresolved" says what to ask again.
    problem = json.load(error)
    raise SystemExit(f"{problem['code']}: {problem['detail']}")

for result in results:
    name = result.get("businessName", "-")
    print(result["vatNumber"], result["status"], name)
