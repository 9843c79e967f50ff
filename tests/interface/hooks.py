"""What Schemathesis cannot know of the interface: what a schema has no words for, and what answers promise beyond their form."""

import os
import re

import schemathesis

VERIFY = "POST /verify-vat"

# Well-formed numbers for `requesterVatNumbers`, at most one for each registry: a list is cut to its length.
REQUESTERS = ["GB434031494", "DE136695976"]
# Codes for `supplierCountry`, which has to be one that ISO 3166-1 knows.
COUNTRIES = ["DE", "gb", "XI", "EL", "us"]

EXPECTED = {int(status) for status in os.environ["CROSSVAT_EXPECTED_STATUSES"].split()}


@schemathesis.hook
def map_case(context, case):
    """Rules beyond the schema are kept wherever the schema is: so a valid body is one, and an invalid one is refused for its own
    fault."""
    body = case.body
    if case.operation.label != VERIFY or not isinstance(body, dict):
        return case
    requesters = body.get("requesterVatNumbers")
    if isinstance(requesters, list) and len(requesters) <= 2:
        if all(isinstance(number, str) and len(number) <= 64 for number in requesters):
            body["requesterVatNumbers"] = REQUESTERS[: len(requesters)]
    # JSON Schema takes 1.0 for an integer; the interface does not.
    age = body.get("maxAgeSeconds")
    if isinstance(age, float) and age.is_integer():
        body["maxAgeSeconds"] = int(age)
    country = body.get("supplierCountry")
    if isinstance(country, str) and re.fullmatch("[A-Za-z]{2}", country):
        body["supplierCountry"] = COUNTRIES[sum(map(ord, country)) % len(COUNTRIES)]
    return case


@schemathesis.check
def problems_tell_what_happened(ctx, response, case):
    """Errors name the status they come with, a code that the description lists for it, and the call."""
    if response.status_code < 400:
        return
    problem = response.json()
    assert response.headers["content-type"] == ["application/problem+json"], response.headers
    assert problem["status"] == response.status_code, problem
    assert problem["type"].endswith(f"/docs/errors#{problem['code']}"), problem
    assert [problem["requestId"]] == response.headers["x-request-id"], problem
    described = case.operation.definition.raw["responses"].get(str(response.status_code))
    if described is not None:
        assert f"`{problem['code']}`" in described["description"], problem
    if response.status_code == 422:
        assert problem["errors"], problem


@schemathesis.check
def every_number_is_answered(ctx, response, case):
    """One result for each number, in order; of an outage the rest, and each of them only when it was asked for."""
    if case.operation.label != VERIFY or response.status_code not in (200, 503) or not isinstance(case.body, dict):
        return
    answer, asked = response.json(), case.body["vatNumbers"]
    if response.status_code == 200:
        results, places = answer["results"], range(len(asked))
        if not case.body.get("partial"):
            assert all(result["status"] != "unavailable" for result in results), answer
    else:
        assert answer["code"] == "registry_unavailable", answer
        assert not case.body.get("partial") and answer["unresolved"], answer
        results, unresolved = answer["results"], {number["index"] for number in answer["unresolved"]}
        places = [place for place in range(len(asked)) if place not in unresolved]
        assert len(unresolved) == len(answer["unresolved"]) == len(asked) - len(places), answer
    assert [result.get("submitted", result["vatNumber"]) for result in results] == [asked[place] for place in places], answer
    assert all(result["valid"] == (result["status"] == "valid") for result in results), answer


@schemathesis.check
class EveryExpectedStatusIsSeen:
    """A run in which all calls fail alike has tried nothing."""

    def __init__(self):
        self.seen = set()

    def after_response(self, ctx, response, case):
        self.seen.add(response.status_code)

    def after_run(self, ctx):
        assert self.seen >= EXPECTED, f"seen were {sorted(self.seen)}, expected {sorted(EXPECTED)}"
