import { k8sAudit } from '../../telemetry/datasets/LW_ACT_K8S_AUDIT.ts';
import { stringOf } from '../evaluation/trail-event.ts';
import type { ActivityStream, CloudEvent } from './activity-stream.ts';
import { EventTypes } from './event-types.ts';

interface KubernetesRequest extends Omit<CloudEvent, 'rank'> {
  readonly verb: string;
  readonly resource: string;
  readonly subresource: string;
  readonly status: number;
}

const reads = new Set(['get', 'list', 'watch']);

const types = new EventTypes<KubernetesRequest>('K8sAuditLogDefaultAlert', [
  ['K8sAnonymousRequest', ({ userName, status }) => userName === 'system:anonymous' && status < 400],
  ['K8sUnauthorizedRequest', ({ status }) => status === 401 || status === 403],
  ['K8sPodExec', ({ resource, subresource }) => resource === 'pods' && /^(?:exec|attach)$/.test(subresource)],
  ['K8sRoleBindingChanged', changes(/^(?:cluster)?role(?:binding)?s$/)],
  [
    'K8sSecretRead',
    ({ verb, resource, userName }) => resource === 'secrets' && reads.has(verb) && !isSystem(userName),
  ],
  ['K8sWorkloadChanged', changes(/^(?:pods|deployments|daemonsets|statefulsets|cronjobs|jobs)$/)],
]);

/** Requests to clusters. */
export const kubernetesStream: ActivityStream = {
  dataset: k8sAudit,
  columns: `USER_NAME, USER_ID, CLOUD_USER, EVENT_NAME, EVENT_SOURCE, EVENT_OBJECT, OBJECT_NAMESPACE, CLUSTER_ID,
    EVENT_JSON:stage as STAGE, EVENT_JSON:objectRef.subresource as SUBRESOURCE, EVENT_JSON:objectRef.name as NAME,
    EVENT_JSON:sourceIPs as ADDRESSES, EVENT_JSON:responseStatus.code as STATUS`,
  actor: 'K8sAuditLog',
  event(row) {
    const [verb, resource] = [stringOf(row.EVENT_NAME), stringOf(row.EVENT_OBJECT)];
    // The same request is reported again when it is answered.
    if (verb === '' || row.STAGE === 'RequestReceived') return undefined;
    const subresource = stringOf(row.SUBRESOURCE);
    const name = [stringOf(row.OBJECT_NAMESPACE), stringOf(row.NAME)].filter(Boolean).join('/');
    const cluster = stringOf(row.CLUSTER_ID);
    const request: KubernetesRequest = {
      api: [verb, [resource, subresource].filter(Boolean).join('/')].filter(Boolean).join(' '),
      service: stringOf(row.EVENT_SOURCE) || 'core',
      ...{ region: '', account: cluster, userAccount: cluster, mfa: false },
      address: firstOf(row.ADDRESSES),
      userName: stringOf(row.USER_NAME),
      principalId: stringOf(row.CLOUD_USER) || stringOf(row.USER_ID),
      resources: resource === '' || name === '' ? [] : [{ name: resource, value: name }],
      ...{ verb, resource, subresource, status: Number(row.STATUS ?? 0) },
    };
    return { ...request, rank: types.rankOf(request) };
  },
  typeAt: (rank) => types.at(rank),
  modelOf: () => 'K8sAuditLogCep',
};

/** The caller comes before its proxies. */
function firstOf(addresses: unknown): string {
  const [first] = Array.isArray(addresses)
    ? addresses
    : (/"([^"]*)"/.exec(stringOf(addresses))?.slice(1) ?? []);
  return stringOf(first);
}

function changes(resource: RegExp): (request: KubernetesRequest) => boolean {
  return (request) =>
    resource.test(request.resource) && !reads.has(request.verb) && !isSystem(request.userName);
}

/** Controllers and nodes change and read all the time. */
function isSystem(userName: string): boolean {
  return /^(?:system:(?:node|serviceaccount:kube-system|kube-)|eks:|aks|gke)/.test(userName);
}
