import { identityRule } from './cluster-identity.ts';
import { type K8sService, type RbacRule, ruleOf } from './service.ts';
import { k8sServices } from './services.ts';

/** A role that the collector needs. */
export interface K8sRole {
  readonly name: string;
  /** In one namespace only, or in the whole cluster. */
  readonly namespace?: string;
  readonly rules: readonly RbacRule[];
  /** Why it need not be granted; undefined if the collector should have it. */
  readonly optional?: string;
}

/** The least rights of the collector, made from the declarations. */
export function k8sRoles(services: readonly K8sService[] = k8sServices): K8sRole[] {
  const rights = services.flatMap((service) => [
    ...service.kinds.map((kind) => ({ rules: [ruleOf(service, kind)], ...kind })),
    ...(service.reads ?? []),
  ]);
  const isNamespaced = (right: (typeof rights)[number]) => 'only' in right && right.only !== undefined;
  const plain = rights.filter((right) => !right.danger && !isNamespaced(right)).flatMap(({ rules }) => rules);
  const dangerous = rights.filter(({ danger }) => danger !== undefined);
  const namespaced = rights.flatMap((right) =>
    'only' in right && right.only ? [{ namespace: right.only.namespace, rules: right.rules }] : [],
  );
  return [
    { name: 'vedette-collector', rules: joined([...plain, identityRule]) },
    ...namespaced.map((role) => ({ name: 'vedette-collector', ...role })),
    {
      name: 'vedette-collector-sensitive',
      rules: joined(
        dangerous.flatMap(({ rules }) => rules).filter((rule) => !plain.some((one) => isSame(one, rule))),
      ),
      optional: dangerous.map(({ kind, danger }) => `${kind}: ${danger}`).join(' '),
    },
  ];
}

/** The roles as manifests, for `kubectl apply`, and as resources of the Terraform provider `kubernetes`. */
export function k8sPermissions(): { readonly manifest: string; readonly terraform: string } {
  const roles = k8sRoles();
  return { manifest: roles.map(manifestOf).join('---\n'), terraform: roles.map(terraformOf).join('\n') };
}

/** Rules of one API group with the same verbs are one rule. */
function joined(rules: readonly RbacRule[]): RbacRule[] {
  const groups = new Map<string, RbacRule>();
  for (const rule of rules) {
    const { resources = [], ...rest } = rule;
    const key = JSON.stringify(rest);
    const known = groups.get(key);
    groups.set(key, known ? { ...known, resources: [...(known.resources ?? []), ...resources] } : rule);
  }
  return [...groups.values()];
}

function isSame(a: RbacRule, b: RbacRule): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

const list = (values: readonly string[]) => `[${values.map((value) => JSON.stringify(value)).join(', ')}]`;

/** In lines of bounded length. */
function comment(text: string, sign: string): string {
  const lines = text.match(/.{1,96}(?:\s|$)/g) ?? [];
  return lines.map((line) => `${sign} ${line.trim()}\n`).join('');
}

const optionalText = (reason: string) => `Optional: without it these kinds are reported as denied. ${reason}`;

function manifestOf({ name, namespace, rules, optional }: K8sRole): string {
  const ruleLines = rules.map((rule) =>
    Object.entries(rule)
      .map(([member, values], at) => `${at === 0 ? '  -' : '   '} ${member}: ${list(values as string[])}\n`)
      .join(''),
  );
  return [
    optional === undefined ? '' : comment(optionalText(optional), '#'),
    'apiVersion: rbac.authorization.k8s.io/v1\n',
    `kind: ${namespace === undefined ? 'ClusterRole' : 'Role'}\n`,
    `metadata:\n  name: ${name}\n`,
    namespace === undefined ? '' : `  namespace: ${namespace}\n`,
    `rules:\n${ruleLines.join('')}`,
  ].join('');
}

/** As the provider spells the members of a rule. */
const terraformNames: Readonly<Record<string, string>> = {
  apiGroups: 'api_groups',
  resources: 'resources',
  resourceNames: 'resource_names',
  nonResourceURLs: 'non_resource_urls',
  verbs: 'verbs',
};

function terraformOf({ name, namespace, rules, optional }: K8sRole): string {
  const type = namespace === undefined ? 'kubernetes_cluster_role_v1' : 'kubernetes_role_v1';
  const ruleBlocks = rules.map((rule) => {
    const width = Math.max(...Object.keys(rule).map((member) => terraformName(member).length));
    const members = Object.entries(rule).map(
      ([member, values]) => `    ${terraformName(member).padEnd(width)} = ${list(values as string[])}\n`,
    );
    return `\n  rule {\n${members.join('')}  }\n`;
  });
  const metadata =
    namespace === undefined
      ? `    name = "${name}"\n`
      : `    name      = "${name}"\n    namespace = "${namespace}"\n`;
  return [
    optional === undefined ? '' : comment(optionalText(optional), '#'),
    `resource "${type}" "${name.replaceAll('-', '_')}" {\n`,
    `  metadata {\n${metadata}  }\n`,
    `${ruleBlocks.join('')}}\n`,
  ].join('');
}

function terraformName(member: string): string {
  return terraformNames[member] ?? member;
}
