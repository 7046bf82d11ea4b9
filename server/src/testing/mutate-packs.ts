import { StoredCase } from '../detection/packs/case-runner.ts';
import { mutantsOf } from '../detection/packs/mutants.ts';
import { Pack, shippedPacks } from '../detection/packs/pack.ts';
import { readPolicyCases } from '../detection/packs/policy-cases.ts';
import { openCaseStore } from './case-store.ts';

/** Selects policies whose folder contains this; default: all. */
const [nameFilter = ''] = process.argv.slice(2);
const started = Date.now();
const book = await readPolicyCases(shippedPacks(), await Pack.load(shippedPacks()));
const selected = book.filter(({ policy }) => policy.folder.includes(nameFilter));
const print = (line: string) => process.stdout.write(`${line}\n`);
const place = await openCaseStore();
let [tested, survived] = [0, 0];
try {
  for (const { policy, query, cases } of selected) {
    const taken = await Promise.all(
      cases.map((one, index) => StoredCase.take(place, `${policy.number}-${index}`, one)),
    );
    const failure = await firstFailure(taken, query);
    if (failure) {
      survived++;
      print(`${policy.folder}: ${failure}`);
      continue;
    }
    for (const { change, text } of mutantsOf(query)) {
      tested++;
      if (await firstFailure(taken, text)) continue;
      survived++;
      print(`${policy.folder}: no case fails ${change}`);
    }
  }
} finally {
  await place.close();
}
const seconds = Math.round((Date.now() - started) / 1_000);
print(`${tested} mutants of ${selected.length} policies, ${survived} problems, in ${seconds} s.`);
process.exitCode = survived > 0 || selected.length === 0 ? 1 : 0;

async function firstFailure(taken: readonly StoredCase[], query: string): Promise<string | undefined> {
  for (const one of taken) {
    const complaint = await one.complaint(query);
    if (complaint) return `the case "${one.of.name}" ${complaint}`;
  }
  return undefined;
}
