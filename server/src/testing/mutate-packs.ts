import { readCaseBook } from '../detection/packs/case-book.ts';
import { TakenCase } from '../detection/packs/case-runner.ts';
import { mutantsOf } from '../detection/packs/mutants.ts';
import { Pack, shippedPacks } from '../detection/packs/pack.ts';
import { openCasePlace } from './case-place.ts';

/** Policies whose folder has this in its name; all when nothing is given. */
const [wanted = ''] = process.argv.slice(2);
const started = Date.now();
const book = await readCaseBook(shippedPacks(), await Pack.load(shippedPacks()));
const chosen = book.filter(({ policy }) => policy.folder.includes(wanted));
const say = (line: string) => process.stdout.write(`${line}\n`);
const place = await openCasePlace();
let [tried, survived] = [0, 0];
try {
  for (const { policy, query, cases } of chosen) {
    const taken = await Promise.all(
      cases.map((one, index) => TakenCase.take(place, `${policy.number}-${index}`, one)),
    );
    const failing = await firstComplaint(taken, query);
    if (failing) {
      survived++;
      say(`${policy.folder}: ${failing}`);
      continue;
    }
    for (const { change, text } of mutantsOf(query)) {
      tried++;
      if (await firstComplaint(taken, text)) continue;
      survived++;
      say(`${policy.folder}: no case fails ${change}`);
    }
  }
} finally {
  await place.close();
}
const seconds = Math.round((Date.now() - started) / 1_000);
say(`${tried} mutants of ${chosen.length} policies, ${survived} problems, in ${seconds} s.`);
process.exitCode = survived > 0 || chosen.length === 0 ? 1 : 0;

async function firstComplaint(taken: readonly TakenCase[], query: string): Promise<string | undefined> {
  for (const one of taken) {
    const complaint = await one.complaint(query);
    if (complaint) return `the case "${one.of.name}" ${complaint}`;
  }
  return undefined;
}
