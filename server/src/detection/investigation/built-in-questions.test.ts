import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withViolations } from '../../alerts/listing.ts';
import type { Tables } from '../../control/tables.ts';
import { type OpenedCaseStore, openCaseStore } from '../../testing/case-store.ts';
import { entitiesOf } from '../evaluation/entities.ts';
import { eventTimeOf } from '../evaluation/event-time.ts';
import { subjectOf } from '../evaluation/subject.ts';
import { StoredCase, violationsOf } from '../packs/case-runner.ts';
import { Pack, shippedPacks } from '../packs/pack.ts';
import { readPolicyCases } from '../packs/policy-cases.ts';
import { Investigation } from './investigation.ts';

const pack = await Pack.load(shippedPacks());
const book = await readPolicyCases(shippedPacks(), pack);

let place: OpenedCaseStore;
beforeAll(async () => {
  place = await openCaseStore();
});
afterAll(() => place.close());

/** The questions about an alert of the policy's first case, answered from the records of that case. */
async function questionsOf({ policy, query, cases }: (typeof book)[number]): Promise<string[]> {
  const [first] = cases.filter(({ alerts }) => alerts !== 'none');
  if (!first) throw new Error(`${policy.folder} has no case with an alert.`);
  const { language, runner, range } = place;
  const account = String(policy.number);
  await StoredCase.take(place, account, first);
  const violations = [...(await violationsOf(place, account, query))];
  const [[key, row] = ['', {}]] = violations.toSorted(([one], [other]) => (one < other ? -1 : 1));
  const subject = subjectOf(language.read(query));
  const hostname = subject.source === 'Agent' ? 'web-1.shop.example' : undefined;
  const entities = entitiesOf(row, subject);
  const { columns } = withViolations([{ key, name: '', row, entities, hostname }], 1);
  const alert = {
    ...{
      owner_id: account,
      entity_map: columns.entity_map,
      start_at: range.end,
      first_event_at: eventTimeOf(row) ?? range.end,
    },
    derived_fields: JSON.stringify({ sub_category: subject.subCategory }),
  } as Tables['alerts'];
  const { signal } = new AbortController();
  const answers = await new Investigation(alert, { language, runner, signal }).answers();
  return answers.map(({ question, answer }) => `- ${question} ${answer}`);
}

/** Update with `npx vitest run built-in-questions --update`. */
test('questions about alerts of all built-in policies with cases match the golden file', async () => {
  const sections: string[] = [];
  for (const cased of book) {
    const questions = await questionsOf(cased);
    expect(questions.length, cased.policy.folder).toBeGreaterThan(0);
    for (const each of questions)
      expect(each, cased.policy.folder).not.toMatch(/undefined|\[object|null|\d{13,}| {2}/);
    sections.push(`# ${cased.policy.folder}\n\n${questions.join('\n')}\n`);
  }
  const golden = fileURLToPath(
    new URL('../../../src/detection/investigation/built-in-questions.golden.md', import.meta.url),
  );
  await expect(sections.join('\n')).toMatchFileSnapshot(golden);
});
