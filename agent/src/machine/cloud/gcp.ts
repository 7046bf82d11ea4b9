import { known, type ReadInstance, stringOf } from './cloud-instance.ts';

const headers = { 'Metadata-Flavor': 'Google', Host: 'metadata.google.internal' };

/** One value at a time: all of them together would include the secrets of the instance's attributes. */
export const readGcp: ReadInstance = async (request) => {
  const value = async (name: string) => {
    const response = await request({ path: `/computeMetadata/v1/${name}`, headers });
    return response?.headers['metadata-flavor'] === 'Google' ? stringOf(response.body.trim()) : undefined;
  };
  const instanceId = await value('instance/id');
  if (instanceId === undefined || !/^\d{1,20}$/.test(instanceId)) return undefined;

  const [name, zone, type, image, project, number, address, cluster, location] = await Promise.all(
    [
      'instance/name',
      'instance/zone',
      'instance/machine-type',
      'instance/image',
      'project/project-id',
      'project/numeric-project-id',
      'instance/network-interfaces/0/access-configs/0/external-ip',
      'instance/attributes/cluster-name',
      'instance/attributes/cluster-location',
    ].map(value),
  );
  const place = lastOf(zone);
  return {
    ...{ provider: 'GCE', instanceId },
    ...(place !== undefined && { zone: place }),
    tags: known({
      ExternalIp: address,
      InstanceName: name,
      VmInstanceType: lastOf(type),
      Image: image,
      ProjectId: project,
      NumericProjectId: number,
      'cluster-name': cluster,
      'cluster-location': location,
      KubernetesCluster: cluster,
    }),
  };
};

/** `europe-west1-b` of `projects/1/zones/europe-west1-b`. */
function lastOf(path: string | undefined): string | undefined {
  return path?.split('/').at(-1);
}
