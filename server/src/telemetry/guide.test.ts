import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { datasets } from './datasets.ts';
import { guideTo } from './guide.ts';

/** When it is not, `npm run docs:datasets` writes it anew. */
test('docs/datasets.md says what is declared', async () => {
  const page = fileURLToPath(new URL('../../../docs/datasets.md', import.meta.url));
  await expect(guideTo(datasets)).toMatchFileSnapshot(page);
});
