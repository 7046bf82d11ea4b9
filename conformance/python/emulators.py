"""Emulates AWS and a mail server: moto, which checks signatures and permissions as AWS does, and aiosmtpd.

Prints addresses and credentials as one line of JSON to standard output; ends when standard input is closed.
"""

import asyncio
import json
import logging
import sys

import boto3
import requests
from aiosmtpd.handlers import Mailbox
from aiosmtpd.smtp import SMTP
from moto.server import ThreadedMotoServer

REGION = "us-east-1"
NAME = "alerts"

mail_directory = sys.argv[1]
logging.getLogger("werkzeug").setLevel(logging.ERROR)
moto = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
moto.start()
url = "http://{}:{}".format(*moto.get_host_and_port())


def client(service: str):
    """Authorization is enforced only after the setup."""
    return boto3.client(
        service,
        endpoint_url=url,
        region_name=REGION,
        aws_access_key_id="AKIAANYBODY",
        aws_secret_access_key="any",
    )


def allowed(**resources: str) -> str:
    """A policy that allows actions, such as sts_AssumeRole, on resources."""
    statements = [
        {"Effect": "Allow", "Action": action.replace("_", ":"), "Resource": resource}
        for action, resource in resources.items()
    ]
    return json.dumps({"Version": "2012-10-17", "Statement": statements})


def user(name: str, policy: str) -> dict:
    iam.create_user(UserName=name)
    iam.put_user_policy(UserName=name, PolicyName=name, PolicyDocument=policy)
    key = iam.create_access_key(UserName=name)["AccessKey"]
    return {"id": key["AccessKeyId"], "secret": key["SecretAccessKey"]}


iam, events, sqs = client("iam"), client("events"), client("sqs")
trust = {"Effect": "Allow", "Principal": {"AWS": "*"}, "Action": "sts:AssumeRole"}
role = iam.create_role(
    RoleName="writer",
    AssumeRolePolicyDocument=json.dumps({"Version": "2012-10-17", "Statement": [trust]}),
)["Role"]["Arn"]
bucket = f"arn:aws:s3:::{NAME}"
iam.put_role_policy(
    RoleName="writer", PolicyName="writer", PolicyDocument=allowed(s3_PutObject=f"{bucket}/*")
)
client("s3").create_bucket(Bucket=NAME)
bus = events.create_event_bus(Name=NAME)["EventBusArn"]
queue = sqs.create_queue(QueueName=NAME)["QueueUrl"]
queue_arn = sqs.get_queue_attributes(QueueUrl=queue, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
events.put_rule(Name=NAME, EventBusName=NAME, EventPattern=json.dumps({"source": ["vedette"]}))
events.put_targets(Rule=NAME, EventBusName=NAME, Targets=[{"Id": NAME, "Arn": queue_arn}])
service = user("service", allowed(sts_AssumeRole=role, events_PutEvents="*"))
reader = user("reader", allowed(**{"*": "*"}))
requests.post(f"{url}/moto-api/reset-auth", data="0", timeout=10).raise_for_status()

aws = {
    "url": url,
    "region": REGION,
    "service": service,
    "reader": reader,
    "role": role,
    "bucket": bucket,
    "bus": bus,
    "queue": queue,
}


async def serve():
    loop = asyncio.get_running_loop()
    mail = await loop.create_server(lambda: SMTP(Mailbox(mail_directory), loop=loop), "127.0.0.1", 0)
    port = mail.sockets[0].getsockname()[1]
    print(json.dumps({"aws": aws, "mail": {"port": port, "directory": mail_directory}}), flush=True)
    await loop.run_in_executor(None, sys.stdin.read)


asyncio.run(serve())
