import { readFile } from 'node:fs/promises';
import { type PolicyCase, readCases } from './cases.ts';
import type { Pack } from './pack.ts';
import { PackError } from './pack-error.ts';
import type { BuiltInPolicy } from './policy.ts';
import { RecordTemplates } from './record-templates.ts';

/** A policy with the cases in which it must and must not fire. */
export interface PolicyWithCases {
  readonly policy: BuiltInPolicy;
  readonly query: string;
  readonly cases: readonly PolicyCase[];
}

/** Reads every activity policy with its cases. Only checks use them, never a server. */
export async function readPolicyCases(packs: URL, pack: Pack): Promise<PolicyWithCases[]> {
  const templates = new RecordTemplates(packs);
  const problems: string[] = [];
  const read = pack.policies
    .filter(({ policyType }) => policyType === 'Violation')
    .map(async (policy) => {
      const name = `policies/${policy.folder}/cases.yaml`;
      const query = pack.query(policy.queryId ?? '')?.text ?? '';
      try {
        const text = await readFile(new URL(name, packs), 'utf8');
        return { policy, query, cases: readCases(`packs/${name}`, text, templates) };
      } catch (error) {
        problems.push((error as Error).message);
        return { policy, query, cases: [] };
      }
    });
  const book = await Promise.all(read);
  if (problems.length > 0) throw new PackError(problems);
  return book;
}
