import { known, objectOf, parsedObject, type ReadInstance, stringOf } from './cloud-instance.ts';

const maxTags = 50;

/** By the instance metadata service, of whose response only the members below are taken. */
export const readAzure: ReadInstance = async (request) => {
  const response = await request({
    path: '/metadata/instance?api-version=2021-02-01',
    headers: { Metadata: 'true' },
  });
  const instance = parsedObject(response?.body);
  const compute = objectOf(instance.compute);
  const instanceId = stringOf(compute.vmId);
  if (instanceId === undefined) return undefined;

  const location = stringOf(compute.location);
  const zone = location && [location, stringOf(compute.zone)].filter(Boolean).join('-');
  return {
    ...{ provider: 'Azure', instanceId },
    ...(zone && { zone }),
    tags: known({
      ...instanceTags(compute.tagsList),
      ExternalIp: publicAddress(objectOf(instance.network).interface),
      InstanceName: stringOf(compute.name),
      VmInstanceType: stringOf(compute.vmSize),
      SubscriptionId: stringOf(compute.subscriptionId),
      ResourceGroup: stringOf(compute.resourceGroupName),
    }),
  };
};

function instanceTags(value: unknown): Readonly<Record<string, string | undefined>> {
  if (!Array.isArray(value)) return {};
  return Object.fromEntries(
    value.slice(0, maxTags).flatMap((tag: unknown) => {
      const name = stringOf(objectOf(tag).name);
      return name === undefined ? [] : [[name, stringOf(objectOf(tag).value)]];
    }),
  );
}

/** The first one of all interfaces. */
function publicAddress(interfaces: unknown): string | undefined {
  for (const one of Array.isArray(interfaces) ? interfaces : []) {
    const addresses = objectOf(objectOf(one).ipv4).ipAddress;
    for (const pair of Array.isArray(addresses) ? addresses : []) {
      const address = stringOf(objectOf(pair).publicIpAddress);
      if (address !== undefined) return address;
    }
  }
  return undefined;
}
