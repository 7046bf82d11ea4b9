import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { openCaseStore } from '../../testing/case-store.ts';
import { StoredCase } from './case-runner.ts';
import { readCases } from './cases.ts';
import { updatedList } from './guide.ts';
import { Pack, shippedPacks } from './pack.ts';
import { RecordTemplates } from './record-templates.ts';

const page = fileURLToPath(new URL('../../../../docs/policies.md', import.meta.url));

/** If this fails, run `npm run docs:policies`. */
test('docs/policies.md lists the current policies', async () => {
  const { policies } = await Pack.load(shippedPacks());
  const text = updatedList(readFileSync(page, 'utf8'), policies);
  for (const { folder } of policies) expect(text).toContain(`\`${folder}\``);
  await expect(text).toMatchFileSnapshot(page);
});

test('the example cases in docs/policies.md pass for the policy on stopped trails', async () => {
  const blocks = [...readFileSync(page, 'utf8').matchAll(/^```yaml case\n([\s\S]*?)^```$/gm)];
  expect(blocks).toHaveLength(1);
  const cases = readCases('docs/policies.md', blocks[0]?.[1] ?? '', new RecordTemplates(shippedPacks()));
  expect(cases.map(({ alerts }) => alerts)).toEqual(['all', 'none']);
  const pack = await Pack.load(shippedPacks());
  const policy = pack.policies.find(({ folder }) => folder === 'aws/cloudtrail/logging-stopped');
  const query = pack.query(policy?.queryId ?? '')?.text ?? '';
  const place = await openCaseStore();
  try {
    for (const [index, one] of cases.entries()) {
      const taken = await StoredCase.take(place, `account-${index}`, one);
      expect([one.name, await taken.complaint(query)]).toEqual([one.name, undefined]);
    }
  } finally {
    await place.close();
  }
});
