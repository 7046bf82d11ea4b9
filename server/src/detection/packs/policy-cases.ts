import { readdir } from 'node:fs/promises';
import { type PolicyCase, readCases } from './cases.ts';
import type { Pack } from './pack.ts';
import { PackError } from './pack-error.ts';
import type { BuiltInPolicy } from './policy.ts';
import { policyFolders } from './policy-folders.ts';
import { RecordTemplates } from './record-templates.ts';
import { type ResourceCase, readResourceCases } from './resource-cases.ts';
import { ResourceTemplates } from './resource-templates.ts';

/** A policy with the cases that prove it. */
interface WithCases<Case> {
  readonly policy: BuiltInPolicy;
  readonly query: string;
  readonly scope: string | undefined;
  readonly cases: readonly Case[];
}
export type PolicyWithCases = WithCases<PolicyCase>;
export type PolicyWithResourceCases = WithCases<ResourceCase>;

/** Reads every activity policy with its cases. Only checks use them, never a server. */
export function readPolicyCases(packs: URL, pack: Pack): Promise<PolicyWithCases[]> {
  const templates = new RecordTemplates(packs);
  return casesOf('Violation', packs, pack, (name, text) => readCases(name, text, templates));
}

/** Reads every policy over configuration with its cases. */
export function readPolicyResourceCases(packs: URL, pack: Pack): Promise<PolicyWithResourceCases[]> {
  const templates = new ResourceTemplates(packs);
  return casesOf('Compliance', packs, pack, (name, text) => readResourceCases(name, text, templates));
}

async function casesOf<Case>(
  type: BuiltInPolicy['policyType'],
  packs: URL,
  pack: Pack,
  read: (name: string, text: string) => Case[],
): Promise<WithCases<Case>[]> {
  const root = new URL('policies/', packs);
  const folders = await policyFolders(root, new Set(await readdir(root, { recursive: true })));
  const byFolder = new Map(folders.map((files) => [files.folder, files]));
  const problems: string[] = [];
  const all = pack.policies
    .filter(({ policyType }) => policyType === type)
    .map(async (policy) => {
      const { text: query = '', scope } = pack.query(policy.queryId ?? '') ?? {};
      const files = byFolder.get(policy.folder);
      const name = `packs/policies/${files?.place ?? policy.folder}/cases.yaml`;
      try {
        const text = await files?.read('cases.yaml');
        if (text === undefined) throw new Error(`${name} is missing: prove the policy by cases.`);
        return { policy, query, scope, cases: read(name, text) };
      } catch (error) {
        problems.push((error as Error).message);
        return { policy, query, scope, cases: [] };
      }
    });
  const book = await Promise.all(all);
  if (problems.length > 0) throw new PackError(problems);
  return book;
}
