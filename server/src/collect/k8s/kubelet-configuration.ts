import { withMember } from '../inventory/member.ts';
import { CollectError } from '../inventory/problem.ts';
import { redacted } from '../inventory/redacted.ts';
import { K8sStatusError, problemOf } from './k8s-problem.ts';
import { isObject } from './object.ts';
import { k8sResource, urnOf } from './resource.ts';
import type { K8sCustomRead, RbacRule } from './service.ts';

const proxy: RbacRule = { apiGroups: [''], resources: ['nodes/proxy'], verbs: ['get'] };
const nodes: RbacRule = { apiGroups: [''], resources: ['nodes'], verbs: ['list'] };
/** A node that does not answer is no reason to wait for it long. */
const attempts = 2;
const redact = ['staticPodURLHeader.*'];

/** The effective configuration of the kubelet of each node, through the API server. */
export const kubeletConfiguration: K8sCustomRead = {
  kind: 'KubeletConfiguration',
  path: '/api/v1/nodes/{name}/proxy/configz',
  rules: [proxy, nodes],
  redact,
  danger: 'whoever has it can read the logs of all pods and run commands in them, through the kubelets.',
  async read({ cluster, signal, get, objects, add, unread }) {
    const seen = new Set<string>();
    for await (const { metadata } of objects('/api/v1/nodes', {
      apiVersion: 'v1',
      kind: 'Node',
      isNamespaced: false,
    })) {
      const { name, uid } = metadata;
      if (seen.has(name)) continue;
      seen.add(name);
      const identity = { group: 'kubelet.config.k8s.io', kind: 'KubeletConfiguration', name, id: uid };
      try {
        const { kubeletconfig } = await get(
          `/api/v1/nodes/${encodeURIComponent(name)}/proxy/configz`,
          attempts,
        );
        if (!isObject(kubeletconfig))
          throw new CollectError({
            status: 'failed',
            reason: `configz of node ${name} has no kubeletconfig.`,
          });
        let config: unknown = kubeletconfig;
        for (const path of redact) config = withMember(config, path, () => redacted);
        await add(k8sResource(cluster, identity, config));
      } catch (error) {
        signal.throwIfAborted();
        const problem = problemOf(error, proxy);
        // The right is the same for all nodes.
        if (problem.status === 'denied') throw error;
        // The node was removed since the list was read, or has no kubelet.
        if (error instanceof K8sStatusError && error.status === 404) continue;
        await unread(urnOf(cluster, identity), problem);
      }
    }
  },
};
