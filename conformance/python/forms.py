"""Forms of records as the Go client decodes them: a value of another type fails the whole response.

A form is a type, a list of one form, or a dict of members; a name that ends with `?` may be missing.
"""


def decoded(value, form, what: str = "the response"):
    """Raises AssertionError for the first value that Go would not decode, or a member that is required."""
    if isinstance(form, list):
        assert isinstance(value, list), f"{what} is not an array: {value!r}"
        for index, element in enumerate(value):
            decoded(element, form[0], f"{what}[{index}]")
    elif isinstance(form, dict):
        assert isinstance(value, dict), f"{what} is not an object: {value!r}"
        for name, member in form.items():
            required = not name.endswith("?")
            name = name.rstrip("?")
            if required or value.get(name) is not None:
                assert name in value, f"{what} has no {name}: {sorted(value)}"
                decoded(value[name], member, f"{what}.{name}")
    else:
        # In Python, True is an int, and 1.0 equals 1.
        assert type(value) is form, f"{what} is {value!r}, not of type {form.__name__}"


VIOLATION = {"resource?": str, "region?": str, "reasons": [str]}

RECOMMENDATION = {
    **{"REC_ID": str, "TITLE": str, "CATEGORY": str, "SERVICE": str, "STATUS": str, "INFO_LINK": str},
    **{"SEVERITY": int, "START_TIME": int, "ASSESSED_RESOURCE_COUNT": int, "RESOURCE_COUNT": int},
    **{"SUPPRESSIONS": [str], "VIOLATIONS": [VIOLATION], "ACCOUNT_ID": str, "ACCOUNT_ALIAS": str},
}

SUMMARY = {
    **{"NUM_RECOMMENDATIONS": int, "NUM_COMPLIANT": int, "NUM_NOT_COMPLIANT": int, "NUM_SUPPRESSED": int},
    **{f"NUM_SEVERITY_{severity}_NON_COMPLIANCE": int for severity in range(1, 6)},
    **{"ASSESSED_RESOURCE_COUNT": int, "VIOLATED_RESOURCE_COUNT": int, "SUPPRESSED_RESOURCE_COUNT": int},
}

AWS_REPORT = {
    **{"reportType": str, "reportTitle": str, "reportTime": str, "accountId": str, "accountAlias": str},
    **{"recommendations": [RECOMMENDATION], "summary": [SUMMARY]},
}

AWS_EVALUATION = {
    **{"account": {"AccountId": str, "Account_Alias": str}, "id": str, "recommendation": str, "reason": str},
    **{"evalType": str, "region": str, "reportTime": str, "resource": str, "section": str, "severity": str},
    "status": str,
}

FRAMEWORK = {
    **{"name": str, "domains": [str], "owner": str, "revision": int, "guid": str, "createdBy": str},
    **{"lastUpdateTime": str, "lastUpdateUser": str, "createdTime": str},
    "sections": [{"name": str, "policies": [{"policyId": str, "title": str, "severity": str, "enabled": bool}]}],
}
