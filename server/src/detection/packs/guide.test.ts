import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { openCasePlace } from '../../testing/case-place.ts';
import { TakenCase } from './case-runner.ts';
import { readCases } from './cases.ts';
import { renewedList } from './guide.ts';
import { Pack, shippedPacks } from './pack.ts';
import { RecordTemplates } from './record-templates.ts';

const page = fileURLToPath(new URL('../../../../docs/policies.md', import.meta.url));

/** When it does not, `npm run docs:policies` writes it anew. */
test('docs/policies.md lists the policies that there are', async () => {
  const { policies } = await Pack.load(shippedPacks());
  const text = renewedList(readFileSync(page, 'utf8'), policies);
  for (const { folder } of policies) expect(text).toContain(`\`${folder}\``);
  await expect(text).toMatchFileSnapshot(page);
});

test('the cases that docs/policies.md shows hold for the policy on stopped trails', async () => {
  const blocks = [...readFileSync(page, 'utf8').matchAll(/^```yaml case\n([\s\S]*?)^```$/gm)];
  expect(blocks).toHaveLength(1);
  const cases = readCases('docs/policies.md', blocks[0]?.[1] ?? '', new RecordTemplates(shippedPacks()));
  expect(cases.map(({ alerts }) => alerts)).toEqual(['all', 'none']);
  const pack = await Pack.load(shippedPacks());
  const policy = pack.policies.find(({ folder }) => folder === 'aws/cloudtrail/logging-stopped');
  const query = pack.query(policy?.queryId ?? '')?.text ?? '';
  const place = await openCasePlace();
  try {
    for (const [index, one] of cases.entries()) {
      const taken = await TakenCase.take(place, `account-${index}`, one);
      expect([one.name, await taken.complaint(query)]).toEqual([one.name, undefined]);
    }
  } finally {
    await place.close();
  }
});
