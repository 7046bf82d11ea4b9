import type { ControlStore } from '../control/store.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { FileCheck } from '../telemetry/verification.ts';
import type { Progress } from './progress.ts';

export interface VerifyDeps {
  readonly store: ControlStore;
  readonly telemetry: Telemetry;
  readonly progress: Progress;
}

/** Verifies all telemetry files; account ids are replaced by names. */
export async function verifyFiles(
  { store, telemetry, progress }: VerifyDeps,
  signal: AbortSignal,
): Promise<FileCheck[]> {
  const rows = await store.read.selectFrom('accounts').select(['id', 'name']).execute();
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  const checks = await telemetry.verify(progress, signal);
  return checks.map((check) => ({
    ...check,
    accounts: check.accounts.map((id) => names.get(id) ?? id).sort(),
  }));
}
