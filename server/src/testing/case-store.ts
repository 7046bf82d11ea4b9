import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ControlStore } from '../control/store.ts';
import { DatasourceCatalogue } from '../datasources/catalogue.ts';
import type { CaseStore } from '../detection/packs/case-runner.ts';
import { shippedPacks } from '../detection/packs/pack.ts';
import { Keyring } from '../platform/keyring.ts';
import { createLog } from '../platform/log.ts';
import { QueryLanguage } from '../querying/language.ts';
import { QueryRunner } from '../querying/runner.ts';
import { datasets } from '../telemetry/datasets.ts';
import { Telemetry } from '../telemetry/telemetry.ts';
import { ManualClock } from './clock.ts';

export interface OpenedCaseStore extends CaseStore {
  close(): Promise<void>;
}

/** A temporary store for policy cases, for tests and commands. Record templates are within the day before its clock. */
export async function openCaseStore(): Promise<OpenedCaseStore> {
  const directory = mkdtempSync(join(tmpdir(), 'vedette-cases-'));
  const clock = new ManualClock();
  const store = await ControlStore.open(`sqlite:${join(directory, 'control.db')}`, clock);
  const telemetry = await Telemetry.open({
    directory: join(directory, 'telemetry'),
    limits: { memory: '256MB', threads: 2 },
    store,
    keyring: new Keyring([Keyring.newMaterial()]),
    diskCap: undefined,
    clock,
    log: createLog('silent'),
    searchSeconds: 60,
  });
  return {
    telemetry,
    runner: new QueryRunner({ telemetry, clock }),
    language: new QueryLanguage(new DatasourceCatalogue({ datasets, packs: shippedPacks() })),
    range: { start: clock.now() - 86_400_000, end: clock.now() },
    async close() {
      await telemetry.close();
      await store.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
