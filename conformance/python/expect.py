"""What checks demand. Each function raises AssertionError with what was found instead."""

from laceworksdk.exceptions import ApiError


def equal(found, wanted, what: str):
    assert found == wanted, f"{what} is {found!r}, not {wanted!r}"


def holds(record: dict, sent: dict, what: str = "the record"):
    """Every member that was sent is there as it was sent; the record may hold more."""
    for name, value in sent.items():
        assert name in record, f"{what} has no {name}: {record!r}"
        if isinstance(value, dict) and isinstance(record[name], dict):
            holds(record[name], value, f"{what}.{name}")
        else:
            same_type = isinstance(record[name], bool) == isinstance(value, bool)
            assert same_type and record[name] == value, f"{what}.{name} is {record[name]!r}, not {value!r}"


def texts(record: dict, *names: str):
    for name in names:
        assert isinstance(record.get(name), str) and record[name], f"{name} is no text: {record.get(name)!r}"


def one(answer: dict, member: str, value) -> dict:
    """The list holds one record with that id; returns it."""
    records = [record for record in answer["data"] if record[member] == value]
    equal(len(records), 1, f"the number of records with {member} {value}")
    return records[0]


def absent(answer: dict, member: str, value):
    assert value not in [
        record[member] for record in answer["data"]
    ], f"the list still holds {member} {value}"


def search_by(search, field: str, expression: str, value, member: str) -> list:
    """Searches by one field; of the records found just the member that was asked for comes back."""
    filters = [{"field": field, "expression": expression, "value": value}]
    rows = search(json={"filters": filters, "returns": [member]})["data"]
    for row in rows:
        equal(list(row), [member], "what a row of the search holds")
    return [row[member] for row in rows]


def finds(search, member: str, value):
    equal(search_by(search, member, "eq", value, member), [value], f"what the search by {member} finds")


def deleted(answer):
    equal(answer.status_code, 204, "the status of DELETE")
    equal(answer.content, b"", "the body of DELETE")


def refused(status: int, words: str, call, *arguments, **members):
    """The call fails with that status and a message that holds the words, as the SDK shows it."""
    try:
        answer = call(*arguments, **members)
    except ApiError as error:
        equal(error.status_code, status, f"the status of the refusal ({error})")
        assert words in (error.message or ""), f"the message is {error.message!r}, without {words!r}"
        assert "paths that exist" not in error.message, f"there is no such path: {error.message!r}"
        # With such a member the SDK looks for the message inside it.
        assert "data" not in error.details, f"the refusal has data: {error.details!r}"
    else:
        raise AssertionError(f"it was not refused with {status} but answered {answer!r}")
