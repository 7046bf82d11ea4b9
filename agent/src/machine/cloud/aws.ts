import { known, parsedObject, type ReadInstance, stringOf } from './cloud-instance.ts';

const maxTags = 50;

/** By the second version of the instance metadata service, which wants a session token. */
export const readAws: ReadInstance = async (request) => {
  const session = await request({
    path: '/latest/api/token',
    method: 'PUT',
    headers: { 'X-aws-ec2-metadata-token-ttl-seconds': '60' },
  });
  if (!session || !/^[\x21-\x7e]{1,1000}$/.test(session.body)) return undefined;
  const headers = { 'X-aws-ec2-metadata-token': session.body };
  const value = async (path: string) => stringOf((await request({ path, headers }))?.body.trim());
  const identity = parsedObject(
    (await request({ path: '/latest/dynamic/instance-identity/document', headers }))?.body,
  );
  const instanceId = stringOf(identity.instanceId);
  if (instanceId === undefined) return undefined;

  const [address, mac] = await Promise.all([
    value('/latest/meta-data/public-ipv4'),
    value('/latest/meta-data/mac'),
  ]);
  const ofInterface = (name: string) =>
    mac && /^[0-9a-f:]+$/i.test(mac)
      ? value(`/latest/meta-data/network/interfaces/macs/${mac}/${name}`)
      : undefined;
  const [subnet, network, own] = await Promise.all([
    ofInterface('subnet-id'),
    ofInterface('vpc-id'),
    instanceTags(value),
  ]);
  const zone = stringOf(identity.availabilityZone);
  return {
    ...{ provider: 'AWS', instanceId },
    ...(zone !== undefined && { zone }),
    tags: known({
      ...own,
      ...(own.Name && { InstanceName: own.Name }),
      ExternalIp: address,
      Account: stringOf(identity.accountId),
      AmiId: stringOf(identity.imageId),
      VmInstanceType: stringOf(identity.instanceType),
      SubnetId: subnet,
      VpcId: network,
    }),
  };
};

/** Absent unless the instance allows its tags in the metadata. */
async function instanceTags(
  value: (path: string) => Promise<string | undefined>,
): Promise<Readonly<Record<string, string | undefined>>> {
  const names = (await value('/latest/meta-data/tags/instance'))?.split('\n').slice(0, maxTags) ?? [];
  const pairs = names.map(
    async (name) => [name, await value(`/latest/meta-data/tags/instance/${encodeURI(name)}`)] as const,
  );
  return Object.fromEntries(await Promise.all(pairs));
}
