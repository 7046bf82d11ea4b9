import type { Row } from '../evaluation/row.ts';
import { membersOf, stringOf } from '../evaluation/trail-event.ts';
import { enumerate, inline, lastSegment, pastTense, wordsOf } from './phrase.ts';

type Members = Readonly<Record<string, unknown>>;

/** `ada@example.com granted roles/owner to user:eve@example.com in project shop-data from 203.0.113.7`. */
export function googleCall(row: Row): string | undefined {
  const { protoPayload, resource } = membersOf(row.EVENT);
  const call = membersOf(protoPayload);
  const method = stringOf(call.methodName) || stringOf(row.EVENT_NAME);
  if (method === '') return undefined;
  const actor = inline(membersOf(call.authenticationInfo).principalEmail) || 'an unknown caller';
  const project = inline(row.PROJECT_ID) || inline(membersOf(membersOf(resource).labels).project_id);
  const address = inline(membersOf(call.requestMetadata).callerIp);
  return [
    actor,
    actionOf(method, call),
    project && `in project ${project}`,
    address && address !== 'private' && `from ${address}`,
  ]
    .filter(Boolean)
    .join(' ');
}

function actionOf(method: string, call: Members): string {
  const { code } = membersOf(call.status);
  if (Number(code) === 7) return `was denied ${inline(method)}`;
  if (Number(code) > 0) return `called ${inline(method)}, which failed`;
  const target = targetOf(call);
  const { bindingDeltas, auditConfigDeltas } = membersOf(
    membersOf(call.serviceData).policyDelta ?? membersOf(call.metadata).policyDelta,
  );
  const changes = [...deltasOf(bindingDeltas).map(granted), ...deltasOf(auditConfigDeltas).map(logged)];
  if (changes.length > 0) return `${enumerate(changes)}${target && ` on ${target}`}`;
  const request = membersOf(call.request);
  const ranges = Array.isArray(request.sourceRanges) ? request.sourceRanges.map((each) => inline(each)) : [];
  const open = ranges.length > 0 && method.includes('firewalls') ? ` that allows ${enumerate(ranges)}` : '';
  const off = membersOf(request.sink).disabled === true ? ' and disabled it' : '';
  const of = method.endsWith('Key') ? ' for' : '';
  return `${byName(method, stringOf(call.serviceName))}${target && `${of} ${target}`}${open}${off}`;
}

/** `v1.compute.firewalls.insert` and `….ConfigServiceV2.DeleteSink`: the verb comes last, alone or with its object. */
function byName(method: string, service: string): string {
  const segments = method.split('.');
  const [verb = '', ...object] = wordsOf(segments.at(-1) ?? '');
  const did = pastTense(verb.toLowerCase());
  if (did === undefined) return `called ${inline(method)} on`;
  const isLog = service === 'logging.googleapis.com';
  if (object.length > 0) return [did, ...(isLog ? ['log'] : []), ...object].join(' ');
  const kind = wordsOf(segments.at(-2) ?? '')
    .join(' ')
    .replace(/s$/, '');
  return `${did} ${inline(kind === 'firewall' ? 'firewall rule' : kind)}`;
}

/** The last path segment of the resource; empty for the project, which the sentence names anyway. */
function targetOf({ resourceName }: Members): string {
  const name = stringOf(resourceName);
  return /^projects\/[^/]+$/.test(name) ? '' : inline(lastSegment(name));
}

const everyones: Readonly<Record<string, string>> = {
  allUsers: 'everyone',
  allAuthenticatedUsers: 'everyone with a Google account',
};

function granted({ action, role, member }: Members): string {
  const to = action === 'REMOVE' ? `removed ${inline(role)} from` : `granted ${inline(role)} to`;
  const everyone = Object.hasOwn(everyones, stringOf(member)) ? everyones[stringOf(member)] : undefined;
  return `${to} ${everyone ? `${everyone} (${inline(member)})` : inline(member)}`;
}

function logged({ action, service, logType }: Members): string {
  return `${action === 'REMOVE' ? 'disabled' : 'enabled'} ${inline(logType)} audit logs of ${inline(service)}`;
}

function deltasOf(value: unknown): Members[] {
  return Array.isArray(value) ? value.slice(0, 50).map(membersOf) : [];
}
