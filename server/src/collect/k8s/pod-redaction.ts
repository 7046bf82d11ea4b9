import { withMember } from '../inventory/member.ts';
import { redacted } from '../inventory/redacted.ts';
import { isObject } from './object.ts';

const containerLists = ['containers', 'initContainers', 'ephemeralContainers'];
const actions = [
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle.postStart',
  'lifecycle.preStop',
];

/** Values that may be secrets whatever they are called. References to secrets and config maps stay. */
const secretMembers = ['env.*.value', ...actions.map((action) => `${action}.httpGet.httpHeaders.*.value`)];
/** Checks read flags, so that only the secrets among them are replaced. */
const commandMembers = ['command.*', 'args.*', ...actions.map((action) => `${action}.exec.command.*`)];

const rules: readonly { readonly path: string; readonly replace: (value: unknown) => unknown }[] = [
  ...secretMembers.map((path) => ({ path, replace: () => redacted })),
  ...commandMembers.map((path) => ({ path, replace: redactedArgument })),
  ...['command', 'args'].map((path) => ({ path, replace: withoutValuesOfFlags })),
];

/** The paths of which only the names are stored, below the specification of a pod. */
export const podRedactions: readonly string[] = containerLists.flatMap((list) =>
  [...secretMembers, ...commandMembers].map((member) => `${list}.*.${member}`),
);

/** The specification of a pod without the secrets in plain text. */
export function redactedPodSpec(spec: unknown): unknown {
  let stored = spec;
  for (const list of containerLists) stored = withMember(stored, `${list}.*`, redactedContainer);
  return stored;
}

function redactedContainer(container: unknown): unknown {
  if (!isObject(container)) return container;
  let stored: unknown = container;
  // Most containers have few of these members, and there are many containers.
  for (const { path, replace } of rules)
    if ((path.split('.', 1)[0] as string) in container) stored = withMember(stored, path, replace);
  return stored;
}

const secretName =
  /passw(?:or)?d|passphrase|secret|token|credential|(?:api|access|private|encryption)[-_]?key/i;
/** `--token-auth-file` has a path. */
const namedOtherwise = /(?:file|path|name|dir|url|ttl|mode)$/i;
/** `--db-password=x`, `export API_TOKEN=x` */
const assignment = /(?<![\w.-])([\w.-]+)=("[^"]*"|'[^']*'|[^\s"';&|]+)/g;
/** `{"password": "x"}` */
const jsonMember = /"([\w.-]+)"(\s*:\s*)"[^"]*"/g;
/** `postgres://user:x@host` */
const userInfo = /(\b[a-z][a-z\d+.-]{0,20}:\/\/[^\s:@/]*):[^\s@/]+@/gi;
/** `Authorization: Bearer x` */
const scheme = /\b(bearer|basic)\s+[\w.~+/=-]{8,}/gi;

/** Commands longer than this are scripts, of which nothing is stored. */
const maxArgument = 4_096;

export function redactedArgument(argument: unknown): unknown {
  if (typeof argument !== 'string') return argument;
  if (argument.length > maxArgument) return redacted;
  return argument
    .replaceAll(assignment, (whole, name: string, value: string) =>
      isSecret(name) && !/^(?:true|false|\d+)$/.test(value) ? `${name}=${redacted}` : whole,
    )
    .replaceAll(jsonMember, (whole, name: string, colon: string) =>
      isSecret(name) ? `"${name}"${colon}"${redacted}"` : whole,
    )
    .replaceAll(userInfo, `$1:${redacted}@`)
    .replaceAll(scheme, `$1 ${redacted}`);
}

function isSecret(name: string): boolean {
  return secretName.test(name) && !namedOtherwise.test(name);
}

/** The value of a flag may be the next argument: `--password x`. */
function withoutValuesOfFlags(list: unknown): unknown {
  if (!Array.isArray(list)) return list;
  return list.map((argument: unknown, at) =>
    isFlagOfSecret(list[at - 1]) && !isFlag(argument) ? redacted : argument,
  );
}

function isFlagOfSecret(argument: unknown): boolean {
  return isFlag(argument) && /^[\w.-]+$/.test(argument) && isSecret(argument);
}

function isFlag(argument: unknown): argument is string {
  return typeof argument === 'string' && /^--?[a-z]/i.test(argument);
}
