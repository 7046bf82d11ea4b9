import { expect, test } from 'vitest';
import { greeting } from './greeting.ts';
import { readConfiguration } from './platform/configuration.ts';

const { configuration } = readConfiguration({ VEDETTE_DATA_DIR: '/nowhere' });

test('the greeting says when deliveries are held, and how to release them', () => {
  const since = Date.parse('2026-03-01T12:00:00Z');
  const said = greeting(configuration, 'http://localhost:8480', since);
  expect(said).toContain(
    'Held       Messages and exports since the restore of 2026-03-01T12:00:00.000Z: check the channels, then run npx vedette deliveries release\n',
  );
  expect(greeting(configuration, 'http://localhost:8480')).not.toContain('Held');
});
