import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { renewedList } from './guide.ts';
import { Pack, shippedPacks } from './pack.ts';

/** When it does not, `npm run docs:policies` writes it anew. */
test('docs/policies.md lists the policies that there are', async () => {
  const page = fileURLToPath(new URL('../../../../docs/policies.md', import.meta.url));
  const { policies } = await Pack.load(shippedPacks());
  const text = renewedList(readFileSync(page, 'utf8'), policies);
  for (const { folder } of policies) expect(text).toContain(`\`${folder}\``);
  await expect(text).toMatchFileSnapshot(page);
});
