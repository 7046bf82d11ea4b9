import { readFile } from 'node:fs/promises';
import { type PolicyCase, readCases } from './cases.ts';
import type { Pack } from './pack.ts';
import { PackError } from './pack-error.ts';
import type { BuiltInPolicy } from './policy.ts';
import { RecordTemplates } from './record-templates.ts';

/** A policy with what shows that it fires when it should, and only then. */
export interface CasedPolicy {
  readonly policy: BuiltInPolicy;
  readonly query: string;
  readonly cases: readonly PolicyCase[];
}

/** Every policy on what happens, with its cases. Only those who check the policies read them, never a server. */
export async function readCaseBook(packs: URL, pack: Pack): Promise<CasedPolicy[]> {
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
