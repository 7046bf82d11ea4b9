import type { Row } from '../evaluation/row.ts';
import { membersOf, text } from '../evaluation/trail-event.ts';
import { code, enumerate, inline, past } from './phrase.ts';

type Members = Readonly<Record<string, unknown>>;

/** What the API server calls resources, as people write them; the rest is the singular of its own name. */
const singulars: Readonly<Record<string, string>> = {
  clusterrolebindings: 'cluster role binding',
  clusterroles: 'cluster role',
  configmaps: 'config map',
  cronjobs: 'cron job',
  daemonsets: 'daemon set',
  ingresses: 'ingress',
  networkpolicies: 'network policy',
  persistentvolumeclaims: 'persistent volume claim',
  replicasets: 'replica set',
  rolebindings: 'role binding',
  serviceaccounts: 'service account',
  statefulsets: 'stateful set',
};

/** `ada ran `chroot /host sh` in pod default/debug-9b256 (cluster amberwood-shop)`. */
export function kubernetesRequest(row: Row): string | undefined {
  const event = membersOf(row.EVENT_JSON);
  const user = inline(row.USER_NAME) || inline(membersOf(event.user).username);
  const verb = inline(row.EVENT_NAME) || inline(event.verb);
  if (user === '' || verb === '') return undefined;
  const cluster = inline(row.CLUSTER_ID);
  const isStranger = user === 'system:anonymous';
  const [address] = Array.isArray(event.sourceIPs) ? event.sourceIPs : [];
  return [
    isStranger ? 'an unauthenticated caller' : user,
    actionOf(row, event, verb),
    cluster && `(cluster ${cluster})`,
    isStranger && inline(address) && `from ${inline(address)}`,
  ]
    .filter(Boolean)
    .join(' ');
}

function actionOf(row: Row, event: Members, verb: string): string {
  const object = membersOf(event.objectRef);
  const resource = inline(object.resource) || inline(row.EVENT_OBJECT);
  const uri = text(row.EVENT_URI) || text(event.requestURI);
  const did = past(verb) ?? `sent ${verb} for`;
  if (resource === '') return `${did} ${inline(uri) || 'the cluster API'}`;
  const namespace = inline(object.namespace) || inline(row.OBJECT_NAMESPACE);
  const name = nameOf(object, event);
  const subresource = inline(object.subresource);
  if (resource === 'pods' && ['exec', 'attach'].includes(subresource)) {
    const pod = `pod ${[namespace, name].filter(Boolean).join('/')}`.trim();
    const command = code(text(row.COMMAND) || commandIn(uri));
    if (command !== '') return `ran ${command} in ${pod}`;
    return subresource === 'attach' ? `attached to ${pod}` : `ran a command in ${pod}`;
  }
  const granted = grantOf(membersOf(event.requestObject));
  const binding = granted && /bindings$/.test(resource) ? `, granting ${granted}` : '';
  const whole = subresource === '' ? '' : ` (${subresource})`;
  if (name === '')
    return `${did} ${resource} in ${namespace === '' ? 'all namespaces' : `namespace ${namespace}`}${whole}`;
  const called = [namespace, name].filter(Boolean).join('/');
  const privileged = isPrivileged(membersOf(event.requestObject)) ? 'privileged ' : '';
  return `${did} ${privileged}${singularOf(resource)} ${called}${whole}${binding}`;
}

/** A pod that is created may get its name from the answer, or from the beginning that the request gives. */
function nameOf(object: Members, { responseObject, requestObject }: Members): string {
  const [answered, asked] = [responseObject, requestObject].map((each) =>
    membersOf(membersOf(each).metadata),
  );
  return inline(object.name) || inline(answered?.name) || inline(asked?.name) || inline(asked?.generateName);
}

function singularOf(resource: string): string {
  if (Object.hasOwn(singulars, resource)) return singulars[resource] as string;
  return resource.replace(/ies$/, 'y').replace(/s$/, '');
}

/** `cluster-admin to user helper`. */
function grantOf({ roleRef, subjects }: Members): string {
  const role = inline(membersOf(roleRef).name);
  const whom = (Array.isArray(subjects) ? subjects : [])
    .map(membersOf)
    .map(({ kind, name }) => `${inline(kind, 40).toLowerCase()} ${inline(name)}`.trim());
  return role === '' || whom.length === 0 ? '' : `${role} to ${enumerate(whom)}`;
}

function isPrivileged({ spec }: Members): boolean {
  const { containers, initContainers } = membersOf(spec);
  return [containers, initContainers]
    .flatMap((each) => (Array.isArray(each) ? each : []))
    .some((each) => membersOf(membersOf(each).securityContext).privileged === true);
}

/** Without the command in a member of its own, the address of the request has it, word by word. */
function commandIn(uri: string): string {
  const query = uri.slice(uri.indexOf('?') + 1);
  return uri.includes('?') ? new URLSearchParams(query.slice(0, 4_000)).getAll('command').join(' ') : '';
}
