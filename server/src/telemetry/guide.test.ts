import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { datasets } from './datasets.ts';
import { guideTo } from './guide.ts';

/** If it fails, run `npm run docs:datasets`. */
test('docs/datasets.md matches the declarations', async () => {
  const page = fileURLToPath(new URL('../../../docs/datasets.md', import.meta.url));
  await expect(guideTo(datasets)).toMatchFileSnapshot(page);
});
