import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { shippedPacks } from '../../detection/packs/pack.ts';
import { describeK8s } from './describe.ts';
import { k8sPermissions, k8sRoles } from './permissions.ts';
import { ruleText } from './service.ts';

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly rules: readonly object[];
  readonly roleRef?: { readonly kind: string; readonly name: string };
  readonly subjects?: readonly object[];
  readonly spec?: {
    readonly jobTemplate: { readonly spec: { readonly template: { readonly spec: PodSpec } } };
  };
}

interface PodSpec {
  readonly serviceAccountName: string;
  readonly containers: readonly {
    readonly args: string[];
    readonly env: readonly { readonly name: string }[];
  }[];
}

const manifestsIn = (text: string) => parseAllDocuments(text).map((document) => document.toJS() as Manifest);

describe('the rights of the collector', () => {
  const { manifest, terraform } = k8sPermissions();

  test('are roles that kubectl applies', () => {
    const manifests = manifestsIn(manifest);
    expect(manifests.map(({ kind, metadata }) => [kind, metadata.namespace, metadata.name])).toEqual([
      ['ClusterRole', undefined, 'vedette-collector'],
      ['Role', 'kube-system', 'vedette-collector'],
      ['ClusterRole', undefined, 'vedette-collector-sensitive'],
    ]);
    expect(manifests.map(({ rules }) => rules)).toEqual(k8sRoles().map(({ rules }) => rules));
  });

  test('only list and get, each in one role', () => {
    const rules = k8sRoles().flatMap((role) => role.rules);
    expect(new Set(rules.flatMap(({ verbs }) => verbs))).toEqual(new Set(['list', 'get']));
    expect(new Set(rules.map(ruleText)).size).toBe(rules.length);
    expect(rules.some(({ resources = [] }) => resources.includes('*'))).toBe(false);
  });

  test('to read secrets and reach kubelets are separate, with the reason', () => {
    const [main, , sensitive] = k8sRoles();
    const resourcesOf = (role: typeof main) => role?.rules.flatMap(({ resources = [] }) => resources);
    expect(resourcesOf(sensitive)).toEqual(['secrets', 'nodes/proxy']);
    expect(resourcesOf(main)).not.toContain('secrets');
    expect(manifest.replaceAll('\n# ', ' ')).toContain(
      'Optional: without it these kinds are reported as denied. Secret: RBAC can not limit it to metadata',
    );
  });

  test('are what the kinds need', async () => {
    const granted = k8sRoles().flatMap((role) => role.rules);
    for (const { kind, permissions } of await describeK8s())
      for (const permission of permissions) {
        const [needed] = manifestsIn(`rules: [${permission}]`).flatMap(({ rules }) => rules) as [
          Record<string, string[]>,
        ];
        const isGranted = granted.some((rule) =>
          Object.entries(needed).every(([member, values]) =>
            values.every((value) => rule[member as keyof typeof rule]?.includes(value)),
          ),
        );
        expect(isGranted, `${kind} ${permission}`).toBe(true);
      }
  });

  test('are resources of Terraform, too', () => {
    expect(terraform.match(/^resource .*$/gm)).toEqual([
      'resource "kubernetes_cluster_role_v1" "vedette_collector" {',
      'resource "kubernetes_role_v1" "vedette_collector" {',
      'resource "kubernetes_cluster_role_v1" "vedette_collector_sensitive" {',
    ]);
    expect(terraform).toContain(
      '  rule {\n    api_groups = ["batch"]\n    resources  = ["jobs", "cronjobs"]\n    verbs      = ["list"]\n  }\n',
    );
    expect(terraform.match(/[{}]/g)?.length).toBe(2 * (terraform.match(/\{/g)?.length ?? 0));
  });
});

describe('the datasources of clusters', () => {
  const packs = shippedPacks();
  const names = (text: string) => new Set(text.match(/\bLW_CFG_K8S_\w+/g));

  test('are those that collections fill', async () => {
    const listed = names(readFileSync(new URL('datasources/resources.tsv', packs), 'utf8'));
    expect((await describeK8s()).map(({ kind }) => kind).sort()).toEqual([...listed].sort());
  });

  test('that policies and queries read are filled', async () => {
    const filled = new Set((await describeK8s()).map(({ kind }) => kind));
    const queries = readdirSync(packs, { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('.lql'),
    );
    expect(queries.length).toBeGreaterThan(50);
    const read = queries.flatMap((path) => [...names(readFileSync(new URL(path, packs), 'utf8'))]);
    expect(read.filter((name) => !filled.has(name))).toEqual([]);
  });
});

describe('the manifest of the documentation', () => {
  const page = readFileSync(
    new URL('../../../../docs/collecting-near-the-cloud.md', import.meta.url),
    'utf8',
  );
  const [, text = ''] = /<<'MANIFEST'\n([\s\S]*?)^MANIFEST$/m.exec(page) ?? [];
  const manifests = manifestsIn(text);
  const ofKind = (kind: string) => manifests.filter((one) => one.kind === kind);

  test('binds the roles that are not optional to the service account of the job', () => {
    const account = ofKind('ServiceAccount')[0]?.metadata;
    const bindings = [...ofKind('ClusterRoleBinding'), ...ofKind('RoleBinding')];
    expect(
      bindings.map(({ roleRef, metadata }) => [roleRef?.kind, roleRef?.name, metadata.namespace]),
    ).toEqual(
      k8sRoles()
        .filter(({ optional }) => optional === undefined)
        .map(({ name, namespace }) => [namespace === undefined ? 'ClusterRole' : 'Role', name, namespace]),
    );
    for (const { subjects } of bindings)
      expect(subjects).toEqual([
        { kind: 'ServiceAccount', name: account?.name, namespace: account?.namespace },
      ]);
    expect(ofKind('CronJob')[0]?.spec?.jobTemplate.spec.template.spec.serviceAccountName).toBe(account?.name);
  });

  test('runs the command with its token', () => {
    const [container] = ofKind('CronJob')[0]?.spec?.jobTemplate.spec.template.spec.containers ?? [];
    expect(container?.args.slice(0, 4)).toEqual(['vedette', 'collect', 'k8s', '--server']);
    expect(container?.env.map(({ name }) => name)).toContain('VEDETTE_COLLECTOR_TOKEN');
  });
});
