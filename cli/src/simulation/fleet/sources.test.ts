import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfiguration } from '@vedette/agent/configuration';
import { observedHost } from '@vedette/agent/observed-host';
import { expect, test } from 'vitest';
import { sourcesOf } from './sources.ts';

test('the sources have the names, the order and the intervals of the real agent', async () => {
  const stateDirectory = mkdtempSync(join(tmpdir(), 'vedette-fleet-'));
  const options = { server: 'http://localhost', token: '-', stateDirectory };
  const configuration = readConfiguration({ options, environment: {} });
  const { sources } = await observedHost(configuration, new AbortController().signal);
  rmSync(stateDirectory, { recursive: true });
  const real = sources.map(({ name, interval }) => ({
    name,
    interval: name === 'files' ? 10_000 : interval,
  }));
  // DNS queries are not observed by the real one either, and executions are those of the audit log.
  expect(sourcesOf().map(({ name, interval }) => ({ name, interval }))).toEqual(
    real.filter(({ name }) => name !== 'dns' && name !== 'executions'),
  );
});
