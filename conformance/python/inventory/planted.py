"""The resources that were planted in moto, as the collector must find them."""

import boto3

ACCOUNT = "123456789012"
REGIONS = ["us-east-1", "us-west-2", "eu-west-1", "eu-central-1", "ap-southeast-2"]
GLOBAL = "aws-global"


class Planted:
    def __init__(self, url: str):
        self.url = url
        self.rows: list[dict] = []
        self.clients: dict[tuple[str, str], object] = {}

    def client(self, service: str, region: str = "us-east-1"):
        keys = {"aws_access_key_id": "AKIAPLANTER", "aws_secret_access_key": "any"}
        if (service, region) not in self.clients:
            client = boto3.client(service, endpoint_url=self.url, region_name=region, **keys)
            self.clients[service, region] = client
        return self.clients[service, region]

    def add(self, kind: str, region: str, key: str, **config):
        """`config` are members that the configuration must have."""
        self.rows.append({"kind": f"LW_CFG_AWS_{kind}", "region": region, "key": key, "config": config})


def arn(service: str, region: str, resource: str, account: str = ACCOUNT) -> str:
    return f"arn:aws:{service}:{region}:{account}:{resource}"
