import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestService } from '@vedette/server/testing/service';
import { expect, test } from 'vitest';
import { interfaceTypes } from './interface-types.ts';
import { operations } from './operations.ts';
import { consoleFolder } from './places.ts';

test('the types of the interface are up to date: npm run console:types', async () => {
  const service = await TestService.start();
  const { body } = await service.request('GET', '/api/v2/openapi.json');
  await service.stop();
  const types = formatted(interfaceTypes(body, operations));
  await expect(types).toMatchFileSnapshot(join(consoleFolder, 'src/api/interface.ts'));
});

test('an operation that the interface lacks is an error', () => {
  expect(() => interfaceTypes({ paths: {} }, ['GET /nothing'])).toThrow('no operation GET /nothing');
});

/** As the formatter of the repository writes it. */
function formatted(text: string): string {
  const root = join(consoleFolder, '..');
  const folder = mkdtempSync(join(tmpdir(), 'types-'));
  try {
    const file = join(folder, 'interface.ts');
    writeFileSync(file, text);
    const configuration = `--config-path=${join(root, 'biome.json')}`;
    execFileSync(join(root, 'node_modules/.bin/biome'), ['format', '--write', configuration, file], {
      stdio: 'pipe',
    });
    return readFileSync(file, 'utf8');
  } finally {
    rmSync(folder, { recursive: true });
  }
}
