import type { Reading } from '../inventory/reading.ts';
import type { K8sApi } from './api.ts';
import { ClusterReader } from './reader.ts';
import { globalRegion } from './resource.ts';
import { datasourceOf, datasourcesOf, type K8sCluster, type K8sService, listPath } from './service.ts';
import { k8sServices } from './services.ts';

/** The readings of a cluster: one for each kind. */
export function k8sReadings(api: K8sApi, cluster: K8sCluster, services = k8sServices): Reading[] {
  return services.flatMap((service: K8sService) => {
    const place = { service: service.name, region: globalRegion };
    return [
      ...service.kinds.map(
        (kind) =>
          ({
            ...{ ...place, id: listPath(service, kind), kinds: datasourcesOf(kind) },
            read: (output, signal) => new ClusterReader(api, cluster, output, signal).readKind(service, kind),
          }) satisfies Reading,
      ),
      ...(service.reads ?? []).map(
        (custom) =>
          ({
            ...{ ...place, id: custom.path, kinds: [datasourceOf(custom)] },
            read: (output, signal) => new ClusterReader(api, cluster, output, signal).readCustom(custom),
          }) satisfies Reading,
      ),
    ];
  });
}
