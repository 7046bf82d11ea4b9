"""Alert channels of every type."""

import expect
from harness import Family
from integrations import GOOGLE, SECRET, check_life_cycle

family = Family("AlertChannels")

TEMPLATE = "data:application/json;name=i.json;base64,eyJmaWVsZHMiOnt9fQ=="

CHANNELS = {
    "AwsS3": {
        "s3CrossAccountCredentials": {
            "roleArn": "arn:aws:iam::112233445566:role/writer",
            "externalId": "an external id",
            "bucketArn": "arn:aws:s3:::alerts",
        }
    },
    "CiscoSparkWebhook": {"webhook": "https://webexapis.example.com/v1/webhooks/incoming/abc"},
    "CloudwatchEb": {
        "eventBusArn": "arn:aws:events:us-west-2:112233445566:event-bus/alerts",
        "issueGrouping": "Resources",
    },
    "Datadog": {"apiKey": SECRET, "datadogSite": "eu", "datadogType": "Logs Detail"},
    "EmailUser": {"channelProps": {"recipients": ["first@example.com", "second@example.com"]}},
    "GcpPubsub": {
        "credentials": GOOGLE,
        "projectId": "project",
        "topicId": "alerts",
        "issueGrouping": "Events",
    },
    "IbmQradar": {"qradarHostUrl": "qradar.example.com", "qradarHostPort": 8080, "qradarCommType": "HTTPS"},
    "Jira": {
        "jiraType": "JIRA_CLOUD",
        "jiraUrl": "company.example.com",
        "issueType": "Bug",
        "projectId": "OPS",
        "username": "jira@example.com",
        "apiToken": SECRET,
        "issueGrouping": "Events",
        "bidirectionalConfig": "Bidirectional",
        "customTemplateFile": TEMPLATE,
    },
    "MicrosoftTeams": {"teamsUrl": "https://company.webhook.example.com/webhookb2/abc"},
    "NewRelicInsights": {"accountId": 2338053, "insertKey": "an insert key is shown"},
    "PagerDutyApi": {"apiIntgKey": SECRET},
    "ServiceNowRest": {
        "instanceUrl": "company.service-now.example.com",
        "userName": "alerts",
        "password": SECRET,
        "issueGrouping": "Resources",
        "customTemplateFile": TEMPLATE,
    },
    "SlackChannel": {"slackUrl": "https://hooks.slack.example.com/services/T0/B0/abc"},
    "SplunkHec": {
        "hecToken": "ee6bf1c0-0000-4000-8000-0000deadbeef",
        "host": "splunk.example.com",
        "port": 8088,
        "ssl": True,
        "channel": "alerts",
        "eventData": {"index": "main", "source": "vedette"},
    },
    "VictorOps": {"intgUrl": "https://alert.victorops.example.com/integrations/generic/abc"},
    "Webhook": {"webhookUrl": "https://example.com/hook?api-token=abc&team=ops"},
}


@family.check_each(CHANNELS, "is created, read, found, changed and deleted")
def life_cycle(service, type, data):
    check_life_cycle(service.account.alert_channels, f"{type} of the conformance run", type, data)


@family.check("the built-in e-mail channel is found by its name in any case")
def built_in(service):
    channels = service.account.alert_channels
    guids = expect.search_by(channels.search, "name", "ilike", "default email", "intgGuid")
    expect.equal(len(guids), 1, "the number of built-in channels")
    expect.contains(channels.get_by_guid(guids[0])["data"], {"type": "EmailUser", "props": {"isDefault": 1}})
    assert guids[0] in expect.search_by(channels.search, "type", "eq", "EmailUser", "intgGuid")


@family.check("a search without a body finds all channels")
def search_without_body(service):
    channels = service.account.alert_channels
    expect.equal(channels.search(), channels.get(), "the response to an empty search")


@family.check("data without a required member is rejected with its name, and nothing is stored")
def missing_member(service):
    channels = service.account.alert_channels
    before = channels.get()
    create = {"name": "No address", "type": "SlackChannel", "enabled": 1, "data": {}}
    expect.rejected(400, "data.slackUrl", channels.create, **create)
    expect.rejected(400, "Nothing", channels.create, **{**create, "type": "Nothing"})
    expect.rejected(
        400,
        "Invalid field",
        channels.search,
        json={"filters": [{"field": "x", "expression": "eq", "value": 1}]},
    )
    expect.equal(channels.get(), before, "the list of channels")


@family.check("a channel of the organization is not one of the account")
def organization(service):
    data = CHANNELS["SlackChannel"]
    created = service.organization.alert_channels.create("Of the organization", "SlackChannel", True, data)[
        "data"
    ]
    expect.equal(created["isOrg"], 1, "isOrg")
    expect.absent(service.account.alert_channels.get(), "intgGuid", created["intgGuid"])
    expect.rejected(404, "Not found", service.account.alert_channels.get_by_guid, created["intgGuid"])
    expect.deleted(service.organization.alert_channels.delete(created["intgGuid"]))
    check_life_cycle(service.organization.alert_channels, "Of the organization", "SlackChannel", data, is_org=1)
