"""Assertions of the checks. Each function raises AssertionError with the actual value."""

from laceworksdk.exceptions import ApiError


def equal(actual, expected, what: str):
    assert actual == expected, f"{what} is {actual!r}, not {expected!r}"


def contains(record: dict, sent: dict, what: str = "the record"):
    """Every sent member is in the record, unchanged; the record may have more."""
    for name, value in sent.items():
        assert name in record, f"{what} has no {name}: {record!r}"
        if isinstance(value, dict) and isinstance(record[name], dict):
            contains(record[name], value, f"{what}.{name}")
        else:
            same_type = isinstance(record[name], bool) == isinstance(value, bool)
            assert same_type and record[name] == value, f"{what}.{name} is {record[name]!r}, not {value!r}"


def strings(record: dict, *names: str):
    for name in names:
        assert isinstance(record.get(name), str) and record[name], f"{name} is not a string: {record.get(name)!r}"


def one(response: dict, member: str, value) -> dict:
    """The list contains one record with that id; returns it."""
    records = [record for record in response["data"] if record[member] == value]
    equal(len(records), 1, f"the number of records with {member} {value}")
    return records[0]


def absent(response: dict, member: str, value):
    assert value not in [
        record[member] for record in response["data"]
    ], f"the list still contains {member} {value}"


def search_by(search, field: str, expression: str, value, member: str) -> list:
    """Searches by one field and returns only the requested member of each record."""
    filters = [{"field": field, "expression": expression, "value": value}]
    rows = search(json={"filters": filters, "returns": [member]})["data"]
    for row in rows:
        equal(list(row), [member], "the members of a row")
    return [row[member] for row in rows]


def finds(search, member: str, value):
    equal(search_by(search, member, "eq", value, member), [value], f"the result of the search by {member}")


def deleted(response):
    equal(response.status_code, 204, "the status of DELETE")
    equal(response.content, b"", "the body of DELETE")


def rejected(status: int, words: str, call, *arguments, **members):
    """The call fails with that status and a message that contains the words, as the SDK shows it."""
    try:
        response = call(*arguments, **members)
    except ApiError as error:
        equal(error.status_code, status, f"the status of the error ({error})")
        assert words in (error.message or ""), f"the message is {error.message!r}, without {words!r}"
        assert "paths that exist" not in error.message, f"there is no such path: {error.message!r}"
        # If there is such a member, the SDK reads the message from it.
        assert "data" not in error.details, f"the error has data: {error.details!r}"
    else:
        raise AssertionError(f"expected {status}, but the response is {response!r}")
