import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent } from './agent.ts';
import type { Configuration } from './configuration.ts';
import { HourMemory } from './journal/hour-memory.ts';
import type { NewEntry } from './journal/journal.ts';
import { observedHost } from './observed-host.ts';
import type { RunOptions } from './run-agent.ts';
import { wait } from './wait.ts';

/** Prints once what the agent would send: in each line the dataset and a record. Nothing is sent or kept. */
export async function dryRun(
  configuration: Configuration,
  { signal, print, log }: RunOptions & { readonly print: (line: string) => void },
): Promise<void> {
  const stateDirectory = await mkdtemp(join(tmpdir(), 'vedette-agent-'));
  try {
    const { host, sources } = await observedHost({ ...configuration, stateDirectory }, signal);
    const append = async ({ batches }: NewEntry) => {
      for (const { path, body } of batches)
        for (const line of body.split('\n')) print(`{"dataset":${JSON.stringify(path)},"record":${line}}`);
    };
    const journal = { append, cursor: () => undefined, memory: new HourMemory() };
    await new Agent({ ...{ host, sources, journal, wait, log }, sender: { wake: () => {} } }).observeDue();
  } finally {
    await rm(stateDirectory, { recursive: true, force: true });
  }
}
