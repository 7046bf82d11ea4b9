"""Runs moto without planted resources, and plants them when a line is written to standard input.

Prints the address, and then what was planted, as lines of JSON. Ends when standard input is closed.
"""

import json
import logging
import os
import sys
from pathlib import Path

os.environ["MOTO_EC2_LOAD_DEFAULT_AMIS"] = "false"
sys.path.insert(0, str(Path(__file__).parent.parent))

from moto.server import ThreadedMotoServer  # noqa: E402

from inventory import identities, network, storage, workloads  # noqa: E402
from inventory.planted import REGIONS, Planted  # noqa: E402

logging.getLogger("werkzeug").setLevel(logging.CRITICAL)
moto = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
moto.start()
# A name: the SDK puts account numbers before it.
url = "http://localhost:{1}".format(*moto.get_host_and_port())
print(json.dumps({"url": url, "regions": REGIONS}), flush=True)

sys.stdin.readline()
planted = Planted(url.replace("localhost", "127.0.0.1"))
storage.plant_buckets(planted)
role = identities.plant(planted)
for region in REGIONS:
    vpc, subnets = network.plant(planted, region)
    storage.plant(planted, region, subnets)
    workloads.plant(planted, region, role, subnets)
print(json.dumps(planted.rows), flush=True)
sys.stdin.read()
