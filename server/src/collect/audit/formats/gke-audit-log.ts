import { k8sAudit } from '../../../telemetry/datasets/LW_ACT_K8S_AUDIT.ts';
import { recordLimits } from '../../../telemetry/record-bounds.ts';
import { commandOf } from './kubernetes-command.ts';
import type { LogFormat } from './log-format.ts';
import { defined, type Members, membersOf, nonEmpty } from './members.ts';

/** Entries of Cloud Logging about requests to clusters, converted to the form of Kubernetes. */
export const gkeAuditLog: LogFormat = {
  dataset: k8sAudit,
  isLines: true,
  arrayIn: () => undefined,
  maxLength: recordLimits.characters,
  records(value) {
    const entry = membersOf(JSON.parse(value));
    const call = membersOf(entry.protoPayload);
    return call.serviceName === 'k8s.io' ? [JSON.stringify(auditEvent(entry, call))] : [];
  },
};

function auditEvent(entry: Members, call: Members): Members {
  const { id, first, last } = membersOf(entry.operation);
  const { callerIp, callerSuppliedUserAgent } = membersOf(call.requestMetadata);
  const user = nonEmpty(membersOf(call.authenticationInfo).principalEmail) ?? 'system:anonymous';
  const path = String(call.resourceName ?? '');
  const requestURI = uriOf(path);
  return defined({
    stageTimestamp: entry.timestamp,
    requestReceivedTimestamp: entry.timestamp,
    auditID: nonEmpty(id) ?? entry.insertId,
    // A long request, such as a watch, has an entry when it begins and one when it ends.
    stage: first === true && last !== true ? 'ResponseStarted' : 'ResponseComplete',
    verb: String(call.methodName ?? '')
      .split('.')
      .at(-1),
    requestURI,
    user: { username: user },
    userAgent: nonEmpty(callerSuppliedUserAgent),
    sourceIPs: nonEmpty(callerIp) === undefined ? undefined : [callerIp],
    objectRef: objectOf(path),
    responseStatus: statusOf(membersOf(call.status)),
    requestObject: call.request,
    responseObject: call.response,
    annotations: entry.labels,
    clusterId: nonEmpty(membersOf(membersOf(entry.resource).labels).cluster_name),
    clusterType: 'GKE',
    cloudUser: user.includes('@') ? user : undefined,
    command: commandOf(membersOf(call.metadata).requestURI ?? requestURI),
  });
}

/** `core/v1/namespaces/default/pods/web/exec`: the core group has a path of its own. */
function uriOf(path: string): string {
  return path.startsWith('core/') ? `/api/${path.slice('core/'.length)}` : `/apis/${path}`;
}

function objectOf(path: string): Members | undefined {
  const [group = '', apiVersion, ...rest] = path.split('/');
  const isNamespaced = rest[0] === 'namespaces' && rest.length > 2;
  const [resource, name, subresource] = isNamespaced ? rest.slice(2) : rest;
  if (!resource) return undefined;
  return defined({
    ...(group !== 'core' && { apiGroup: group }),
    apiVersion,
    ...(isNamespaced && { namespace: rest[1] }),
    resource,
    name,
    subresource,
  });
}

/** HTTP statuses of the codes of google.rpc. */
const statuses: Readonly<Record<number, number>> = {
  0: 200,
  3: 400,
  5: 404,
  6: 409,
  7: 403,
  8: 429,
  16: 401,
};

function statusOf({ code, message }: Members): Members {
  return defined({ code: statuses[Number(code ?? 0)] ?? 500, message: nonEmpty(message) });
}
