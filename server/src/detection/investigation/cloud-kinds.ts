import { inline } from '../summary/phrase.ts';
import type { AlertEntities } from './alert-entities.ts';
import { networks, type RowFilter, yesNo } from './history.ts';
import { type AlertKind, questionIf } from './question.ts';

/** A caller in a cloud or a cluster, and how to find its calls. */
interface Caller {
  readonly name: string;
  readonly calls: RowFilter;
  /** The call, and how to find it. */
  readonly call: string;
  readonly sameCall: RowFilter['where'];
  readonly address: string;
  /** Path to the source address of a call. */
  readonly addressPath: string;
  /** Path to the name of the caller. */
  readonly callerPath: string;
}

function questionsOf({ name, calls, call, sameCall, address, addressPath, callerPath }: Caller) {
  const fromHere = { ...calls.where, [addressPath]: address };
  const isDirect = addressPath !== 'EVENT_JSON:sourceIPs' && /^[\d.]+$|:/.test(address) ? address : '';
  return [
    ...questionIf(
      [name, call],
      `Is it the first time in 30 days that ${name} called ${call}?`,
      async (history) =>
        yesNo(!(await history.hasSeen({ ...calls, where: { ...calls.where, ...sameCall } }))),
    ),
    ...questionIf(
      [name, isDirect],
      `Did ${name} call from ${isDirect} in the 30 days before?`,
      async (history) => yesNo(await history.hasSeen({ ...calls, where: fromHere })),
    ),
    ...questionIf([name], `From which networks did ${name} call in the 30 days before?`, async (history) =>
      networks((await history.values(calls, addressPath)).flatMap(addressesIn)),
    ),
    ...questionIf(
      [name, isDirect],
      `Did other callers use ${isDirect} in the 30 days before?`,
      async (history) => {
        const { source } = calls;
        const callers = await history.values({ source, where: { [addressPath]: address } }, callerPath);
        const [own] = Object.values(calls.where);
        return yesNo(callers.some((caller) => caller !== own));
      },
    ),
  ];
}

/** Kubernetes reports an array of addresses, the caller's first. */
function addressesIn(value: string): string[] {
  if (!value.startsWith('[')) return [value];
  return [JSON.parse(value)].flat().slice(0, 1).map(String);
}

export const awsCalls: AlertKind = {
  applies: (entities) => entities.has('CT_User'),
  isState: () => false,
  questions(entities) {
    const [principal, user] = [
      entities.value('CT_User', 'principalId'),
      entities.value('CT_User', 'username'),
    ];
    const path = principal === '' ? 'EVENT:userIdentity.userName' : 'EVENT:userIdentity.principalId';
    const api = entities.value('API', 'api');
    const mfa = entities.value('CT_User', 'mfa');
    return [
      ...questionIf([mfa], `Did ${inline(user) || 'the caller'} authenticate with MFA?`, async () =>
        yesNo(mfa === '1'),
      ),
      ...questionsOf({
        name: inline(user),
        calls: { source: 'CloudTrailRawEvents', where: { [path]: principal || user } },
        call: inline(api),
        sameCall: { EVENT_NAME: api },
        address: entities.value('SourceIpAddress', 'ip_addr'),
        addressPath: 'EVENT:sourceIPAddress',
        callerPath: path,
      }),
    ];
  },
};

export const googleCalls: AlertKind = {
  applies: (entities, subCategory) => subCategory === 'Cloud Activity' && entities.has('Project'),
  isState: () => false,
  questions(entities) {
    const path = 'EVENT:protoPayload.authenticationInfo.principalEmail';
    const user = entities.value('User', 'username');
    const api = entities.value('API', 'api');
    return questionsOf({
      name: inline(user),
      calls: { source: 'LW_ACT_GCP_ACTIVITY', where: { [path]: user } },
      call: inline(api),
      sameCall: { EVENT_NAME: api },
      address: entities.value('SourceIpAddress', 'ip_addr'),
      addressPath: 'EVENT:protoPayload.requestMetadata.callerIp',
      callerPath: path,
    });
  },
};

export const kubernetesRequests: AlertKind = {
  applies: (entities) => entities.has('K8sUser'),
  isState: () => false,
  questions(entities: AlertEntities) {
    const user = entities.value('K8sUser', 'username');
    const [verb, resource] = [entities.value('API', 'api'), entities.value('K8sResource', 'name')];
    const cluster = entities.value('K8sCluster', 'cluster_id');
    const calls = { source: 'LW_ACT_K8S_AUDIT', where: { USER_NAME: user } };
    return [
      ...questionIf(
        [user, cluster],
        `Did ${inline(user)} use cluster ${inline(cluster)} in the 30 days before?`,
        async (history) =>
          yesNo(await history.hasSeen({ ...calls, where: { ...calls.where, CLUSTER_ID: cluster } })),
      ),
      ...questionsOf({
        name: inline(user),
        calls,
        call: resource === '' ? inline(verb) : `${inline(verb)} ${inline(resource)}`,
        sameCall: { EVENT_NAME: verb, ...(resource !== '' && { EVENT_OBJECT: resource }) },
        address: '',
        addressPath: 'EVENT_JSON:sourceIPs',
        callerPath: 'USER_NAME',
      }),
    ];
  },
};
