"""Channel tests whose messages arrive at independent implementations of the receivers."""

import json
import mailbox
from email import policy
from email.parser import BytesParser

import boto3
import expect
from harness import Family

family = Family("AlertChannels/test")


def aws_client(service, name: str):
    """A client of the emulator with permission to read everything."""
    aws = service.emulators["aws"]
    return boto3.client(
        name,
        endpoint_url=aws["url"],
        region_name=aws["region"],
        aws_access_key_id=aws["reader"]["id"],
        aws_secret_access_key=aws["reader"]["secret"],
    )


def test_channel(service, type: str, data: dict):
    """Creates a channel, tests it, and deletes it."""
    channels = service.account.alert_channels
    guid = channels.create(name=f"{type} that sends", type=type, enabled=True, data=data)["data"]["intgGuid"]
    try:
        # The SDK returns an empty array if there is no body.
        expect.equal(channels.test(guid).status_code, 204, "the status of the test")
        state = channels.get_by_guid(guid)["data"]["state"]
        expect.equal(state["ok"], True, "whether the channel works")
    finally:
        channels.delete(guid)


def s3_data(service, **changes) -> dict:
    aws = service.emulators["aws"]
    credentials = {"roleArn": aws["role"], "externalId": "an external id", "bucketArn": aws["bucket"]}
    return {"s3CrossAccountCredentials": {**credentials, **changes}}


@family.check("AwsS3 writes an object, with the role and a signature that AWS's own library also produces")
def s3(service):
    bucket = service.emulators["aws"]["bucket"]
    test_channel(service, "AwsS3", s3_data(service, bucketArn=f"{bucket}/from/vedette"))
    reader, name = aws_client(service, "s3"), bucket.rsplit(":", 1)[1]
    keys = [found["Key"] for found in reader.list_objects_v2(Bucket=name)["Contents"]]
    expect.equal(len(keys), 1, "the number of objects")
    assert keys[0].startswith("from/vedette/alerts/"), keys[0]
    found = reader.get_object(Bucket=name, Key=keys[0])
    expect.equal(found["ContentType"], "application/json", "the type of the object")
    message = json.loads(found["Body"].read())
    expect.contains(message, {"occasion": "test", "alertName": "Vedette channel test"})
    assert message["deliveryId"] in keys[0], keys[0]


@family.check("AwsS3 reports the AWS error for a forbidden bucket and for an unknown role")
def s3_refused(service):
    channels = service.account.alert_channels
    wrong = {"bucketArn": "arn:aws:s3:::other-account"}, {"roleArn": "arn:aws:iam::112233445566:role/none"}
    for change in wrong:
        data = s3_data(service, **change)
        guid = channels.create(name="Refused", type="AwsS3", enabled=True, data=data)["data"]["intgGuid"]
        expect.rejected(400, "AccessDenied", channels.test, guid)
        state = channels.get_by_guid(guid)["data"]["state"]
        expect.contains(state, {"ok": False, "details": {"statusCode": "403"}}, "the state")
        expect.deleted(channels.delete(guid))


@family.check("CloudwatchEb puts an event that a rule matches")
def event_bridge(service):
    aws = service.emulators["aws"]
    test_channel(service, "CloudwatchEb", {"eventBusArn": aws["bus"], "issueGrouping": "Events"})
    found = aws_client(service, "sqs").receive_message(QueueUrl=aws["queue"], WaitTimeSeconds=5)["Messages"]
    expect.equal(len(found), 1, "the number of events")
    event = json.loads(found[0]["Body"])
    expect.contains(event, {"source": "vedette", "detail-type": "Vedette Alert test"}, "the event")
    expect.contains(event["detail"], {"occasion": "test", "alertName": "Vedette channel test"}, "its detail")
    expect.strings(event["detail"], "deliveryId", "startTime")


@family.check("EmailUser sends a multipart e-mail to all recipients")
def email(service):
    recipients = ["first@example.com", "second@example.com"]
    test_channel(service, "EmailUser", {"channelProps": {"recipients": recipients}})
    emails = list(mailbox.Maildir(service.emulators["mail"]["directory"]).values())
    expect.equal(len(emails), 1, "the number of emails")
    message = BytesParser(policy=policy.default).parsebytes(emails[0].as_bytes())
    expect.equal(message["To"], ", ".join(recipients), "the recipients")
    expect.equal(message["X-RcptTo"], ", ".join(recipients), "the recipients of the envelope")
    expect.equal(message["From"], "Vedette <vedette@example.com>", "the sender")
    expect.equal(message["Subject"], "[Info] Test message: Vedette channel test", "the subject")
    plain, html = (message.get_body((kind,)).get_content() for kind in ("plain", "html"))
    identifier = message["Message-ID"].strip("<>").split("@")[0]
    for part in (plain, html):
        assert "This is a test message from Vedette. No action is needed." in part, part
        assert identifier in part, part
