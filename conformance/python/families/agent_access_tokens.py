"""Agent access tokens, which are disabled and never deleted."""

import expect
from harness import Family

family = Family("AgentAccessTokens")


@family.check("a token is created, read, found, renamed, described and disabled")
def life_cycle(service):
    tokens = service.account.agent_access_tokens
    props = {"description": "created by a check", "os": "linux", "subscription": "enterprise"}
    created = tokens.create(alias="Token of the conformance run", enabled=True, props=props)["data"]
    token = created["accessToken"]
    expect.contains(created, {"tokenAlias": "Token of the conformance run", "tokenEnabled": 1, "props": props})
    expect.strings(created, "accessToken", "version", "createdTime")
    expect.equal(tokens.get_by_id(token)["data"], created, "the token read by its id")
    expect.equal(expect.one(tokens.get(), "accessToken", token), created, "the token in the list")
    expect.finds(tokens.search, "accessToken", token)
    expect.equal(
        expect.search_by(tokens.search, "tokenAlias", "eq", created["tokenAlias"], "accessToken"),
        [token],
        "the search result",
    )

    renamed = tokens.update(token, token_alias="Renamed", props={"description": "changed"})["data"]
    # Properties that are not sent are kept.
    expect.contains(
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
    created = tokens.create(alias="Only once", enabled=True)["data"]
    expect.rejected(409, "Only once", tokens.create, alias="Only once", enabled=True)
    expect.equal(
        expect.search_by(tokens.search, "tokenAlias", "eq", "Only once", "accessToken"),
        [created["accessToken"]],
        "the search result",
    )
    tokens.update(created["accessToken"], token_enabled=False)


@family.check("an unknown token is not found")
def unknown(service):
    tokens = service.account.agent_access_tokens
    expect.rejected(404, "Not found", tokens.get_by_id, "0" * 56)
    expect.rejected(404, "Not found", tokens.update, "0" * 56, token_enabled=1)
