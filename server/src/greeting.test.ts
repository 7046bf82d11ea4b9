import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { greeting } from './greeting.ts';
import { readConfiguration } from './platform/configuration.ts';

const { configuration } = readConfiguration({ VEDETTE_DATA_DIR: '/nowhere' });

test('the greeting shows since when deliveries are held, and how to release them', () => {
  const since = Date.parse('2026-03-01T12:00:00Z');
  const message = greeting(configuration, 'http://localhost:8480', { heldSince: since, isKeyAccepted: true });
  expect(message).toContain(
    'Held       Messages and exports since the restore of 2026-03-01T12:00:00.000Z: check the channels, then run npx vedette deliveries release\n',
  );
  expect(greeting(configuration, 'http://localhost:8480', { isKeyAccepted: true })).not.toContain('Held');
});

test('the greeting does not show an API key that the service rejects', () => {
  const directory = mkdtempSync(join(tmpdir(), 'vedette-test-'));
  const key = { keyId: 'LOCAL_1', secret: '_1', account: 'local.lacework.net', subAccount: '' };
  writeFileSync(join(directory, 'api-key.json'), JSON.stringify(key));
  const { configuration } = readConfiguration({ VEDETTE_DATA_DIR: directory });
  const [accepted, refused] = [true, false].map((isKeyAccepted) =>
    greeting(configuration, 'http://localhost:8480', { isKeyAccepted }),
  );
  expect(accepted).toContain('LOCAL_1');
  expect(refused).not.toContain('LOCAL_1');
  expect(refused).toContain('npx vedette key list');
  rmSync(directory, { recursive: true });
});
