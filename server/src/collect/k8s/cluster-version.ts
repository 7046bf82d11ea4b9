import { k8sResource } from './resource.ts';
import type { K8sCustomRead } from './service.ts';

/** The version of the API server. */
export const clusterVersion: K8sCustomRead = {
  kind: 'Version',
  path: '/version',
  rules: [{ nonResourceURLs: ['/version'], verbs: ['get'] }],
  async read({ cluster, get, add }) {
    const identity = { group: '', kind: 'Version', name: 'version', id: cluster.id };
    await add(k8sResource(cluster, identity, await get('/version')));
  },
};
