import type { Row } from '../evaluation/row.ts';
import { membersOf, stringOf } from '../evaluation/trail-event.ts';
import { code, enumerate, inline, pastTense } from './phrase.ts';

type Members = Readonly<Record<string, unknown>>;

/** Display names of API resources; others use the singular of the resource name. */
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
  const uri = stringOf(row.EVENT_URI) || stringOf(event.requestURI);
  const did = pastTense(verb) ?? `sent ${verb} for`;
  if (resource === '') return `${did} ${inline(uri) || 'the cluster API'}`;
  const namespace = inline(object.namespace) || inline(row.OBJECT_NAMESPACE);
  const name = nameOf(object, event);
  const subresource = inline(object.subresource);
  if (resource === 'pods' && ['exec', 'attach'].includes(subresource)) {
    const pod = `pod ${[namespace, name].filter(Boolean).join('/')}`.trim();
    const command = code(stringOf(row.COMMAND) || commandIn(uri));
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

/** A created pod may get its name from the response, or from `generateName` in the request. */
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

/** Without a command member, the request URI has the command as repeated parameters. */
function commandIn(uri: string): string {
  const query = uri.slice(uri.indexOf('?') + 1);
  return uri.includes('?') ? new URLSearchParams(query.slice(0, 4_000)).getAll('command').join(' ') : '';
}
