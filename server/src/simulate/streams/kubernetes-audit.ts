import { k8sAudit } from '../../telemetry/datasets/LW_ACT_K8S_AUDIT.ts';
import type { Company } from '../company/company.ts';
import { isoTimestamp, millisecondsPerHour } from '../hour.ts';
import type { Random } from '../random.ts';
import type { Stream } from '../stream.ts';
import { uuid } from './cloud-trail.ts';

interface ClusterRequest {
  readonly verb: string;
  readonly username: string;
  readonly groups: readonly string[];
  readonly userAgent: string;
  readonly address: string;
  readonly object: {
    readonly resource: string;
    readonly namespace?: string;
    readonly name?: string;
    readonly subresource?: string;
    readonly apiGroup?: string;
  };
  readonly code: number;
  readonly more?: object;
}

export function clusterEvent({ cloud }: Company, request: ClusterRequest, instant: number, random: Random) {
  const { verb, username, groups, userAgent, address, object, code, more } = request;
  const base = object.apiGroup ? `/apis/${object.apiGroup}/v1` : '/api/v1';
  const segments = [
    object.namespace && `namespaces/${object.namespace}`,
    object.resource,
    object.name,
    object.subresource,
  ];
  return {
    kind: 'Event',
    apiVersion: 'audit.k8s.io/v1',
    level: 'Metadata',
    auditID: uuid(random),
    stage: 'ResponseComplete',
    requestURI: [base, ...segments.filter(Boolean)].join('/'),
    verb,
    user: { username, uid: username, groups },
    sourceIPs: [address],
    userAgent,
    objectRef: { ...object, apiVersion: 'v1' },
    responseStatus: { metadata: {}, code },
    requestReceivedTimestamp: isoTimestamp(instant - 12),
    stageTimestamp: isoTimestamp(instant),
    clusterId: cloud.cluster,
    clusterType: 'EKS',
    ...more,
  };
}

export const administrators = ['system:masters', 'system:authenticated'];

/** Kubelets and controllers read objects, and occasionally a release is rolled out. */
export const clusterAuditStream: Stream = {
  dataset: k8sAudit,
  *ofHour(company, { start, load }, random) {
    const instant = () => start + random.below(millisecondsPerHour);
    for (const { role, containers, hostname, address } of company.machines) {
      if (role.runs !== 'pods') continue;
      const node = { username: `system:node:${hostname}`, groups: ['system:nodes'], address, code: 200 };
      for (const { podName = '', image } of containers) {
        const object = { resource: 'pods', namespace: image.namespace, name: podName };
        yield clusterEvent(
          company,
          { ...node, verb: 'get', object, userAgent: 'kubelet/v1.29' },
          instant(),
          random,
        );
      }
      if (!random.chance(0.1 * load)) continue;
      const release = {
        verb: 'patch',
        username: 'system:serviceaccount:ci:deployer',
        groups: ['system:serviceaccounts'],
        userAgent: 'helm/3.15',
        address,
        object: { resource: 'deployments', apiGroup: 'apps', namespace: 'shop', name: 'web' },
        code: 200,
      };
      yield clusterEvent(company, release, instant(), random);
    }
  },
};
