"""Agent access tokens, which are disabled and never deleted."""

import expect
from harness import Family

family = Family("AgentAccessTokens")


@family.check("a token is created, read, found, renamed, described and disabled")
def lives(service):
    tokens = service.account.agent_access_tokens
    props = {"description": "made by a check", "os": "linux", "subscription": "enterprise"}
    made = tokens.create(alias="Token of the conformance run", enabled=True, props=props)["data"]
    token = made["accessToken"]
    expect.holds(made, {"tokenAlias": "Token of the conformance run", "tokenEnabled": 1, "props": props})
    expect.texts(made, "accessToken", "version", "createdTime")
    expect.equal(tokens.get_by_id(token)["data"], made, "the token read by its id")
    expect.equal(expect.one(tokens.get(), "accessToken", token), made, "the token in the list")
    expect.finds(tokens.search, "accessToken", token)
    expect.equal(
        expect.search_by(tokens.search, "tokenAlias", "eq", made["tokenAlias"], "accessToken"),
        [token],
        "what is found",
    )

    renamed = tokens.update(token, token_alias="Renamed", props={"description": "changed"})["data"]
    # Properties that are not sent stay.
    expect.holds(
        renamed, {"tokenAlias": "Renamed", "tokenEnabled": 1, "props": {**props, "description": "changed"}}
    )

    disabled = tokens.update(token, token_enabled=False)["data"]
    expect.equal(disabled, {**renamed, "tokenEnabled": 0}, "the disabled token")
    expect.equal(tokens.get_by_id(token)["data"], disabled, "the disabled token read by its id")
    expect.absent(tokens.get(), "accessToken", token)
    expect.finds(tokens.search, "accessToken", token)


@family.check("two tokens can not have one alias")
def unique_alias(service):
    tokens = service.account.agent_access_tokens
    made = tokens.create(alias="Only once", enabled=True)["data"]
    expect.refused(409, "Only once", tokens.create, alias="Only once", enabled=True)
    expect.equal(
        expect.search_by(tokens.search, "tokenAlias", "eq", "Only once", "accessToken"),
        [made["accessToken"]],
        "what is found",
    )
    tokens.update(made["accessToken"], token_enabled=False)


@family.check("an unknown token is not found")
def unknown(service):
    tokens = service.account.agent_access_tokens
    expect.refused(404, "Not found", tokens.get_by_id, "0" * 56)
    expect.refused(404, "Not found", tokens.update, "0" * 56, token_enabled=1)
