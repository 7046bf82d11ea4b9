import { StoredCase } from '../detection/packs/case-runner.ts';
import { mutantsOf } from '../detection/packs/mutants.ts';
import { Pack, shippedPacks } from '../detection/packs/pack.ts';
import { readPolicyCases, readPolicyResourceCases } from '../detection/packs/policy-cases.ts';
import { StoredResources } from '../detection/packs/resource-case-runner.ts';
import { CaseInventory } from './case-inventory.ts';
import { openCaseStore } from './case-store.ts';

interface Queries {
  readonly query: string;
  readonly scope: string | undefined;
}

/** A case in the store, which tells how the result of the queries differs from what it expects. */
interface Stored {
  readonly of: { readonly name: string };
  complaint(queries: Queries): Promise<string | undefined>;
}

interface Tested extends Queries {
  readonly folder: string;
  store(): Promise<Stored[]>;
}

/** Selects policies whose folder contains this; default: all. */
const [nameFilter = ''] = process.argv.slice(2);
const started = Date.now();
const pack = await Pack.load(shippedPacks());
const print = (line: string) => process.stdout.write(`${line}\n`);
const place = await openCaseStore();
const inventory = await CaseInventory.open();
const selected = [...(await overActivity()), ...(await overConfiguration())].filter(({ folder }) =>
  folder.includes(nameFilter),
);
let [tested, survived] = [0, 0];
try {
  for (const { folder, query, scope, store } of selected) {
    const taken = await store();
    const failure = await firstFailure(taken, { query, scope });
    if (failure) {
      survived++;
      print(`${folder}: ${failure}`);
      continue;
    }
    const mutants = [
      ...mutantsOf(query).map(({ change, text }) => ({ change, queries: { query: text, scope } })),
      ...(scope === undefined ? [] : mutantsOf(scope)).map(({ change, text }) => ({
        change: `the scope ${change}`,
        queries: { query, scope: text },
      })),
    ];
    for (const { change, queries } of mutants) {
      tested++;
      if (await firstFailure(taken, queries)) continue;
      survived++;
      print(`${folder}: no case fails ${change}`);
    }
  }
} finally {
  await place.close();
  inventory.close();
}
const seconds = Math.round((Date.now() - started) / 1_000);
print(`${tested} mutants of ${selected.length} policies, ${survived} problems, in ${seconds} s.`);
process.exitCode = survived > 0 || selected.length === 0 ? 1 : 0;

async function overActivity(): Promise<Tested[]> {
  const book = await readPolicyCases(shippedPacks(), pack);
  return book.map(({ policy, query, scope, cases }) => ({
    ...{ folder: policy.folder, query, scope },
    store: () =>
      Promise.all(
        cases.map(async (one, index) => {
          const stored = await StoredCase.take(place, `${policy.number}-${index}`, one);
          return { of: one, complaint: (queries) => stored.complaint(queries.query) };
        }),
      ),
  }));
}

async function overConfiguration(): Promise<Tested[]> {
  const book = await readPolicyResourceCases(shippedPacks(), pack);
  return book.map(({ policy, query, scope, cases }) => ({
    ...{ folder: policy.folder, query, scope },
    store: () => StoredResources.take(inventory, `${policy.number}`, cases),
  }));
}

async function firstFailure(taken: readonly Stored[], queries: Queries): Promise<string | undefined> {
  for (const one of taken) {
    const complaint = await one.complaint(queries);
    if (complaint) return `the case "${one.of.name}" ${complaint}`;
  }
  return undefined;
}
