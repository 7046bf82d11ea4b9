import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { sqliteFile } from '@vedette/server/control/connect';
import { openForReading } from '@vedette/server/control/sqlite/open';
import type { FileCheck } from '@vedette/server/telemetry/verification';
import type { Command } from '../command.ts';
import { operatorRequest, readJson, withProgress } from '../operator-client.ts';
import { table } from '../table.ts';

interface VerifiedFile extends Omit<FileCheck, 'records' | 'problems'> {
  readonly records: number | null;
  readonly problems: readonly { readonly dataset?: string; readonly reason: string }[];
}

const verify: Command = {
  words: ['verify'],
  positionals: [],
  options: {},
  summary: 'Reads every file of the running server and reports damaged ones.',
  async run({ context }) {
    const days = (await readJson(
      await withProgress(context, operatorRequest(context, 'POST', '/verify')),
    )) as FileCheck[];
    const files: VerifiedFile[] = [
      ...controlFile(context.controlUrl),
      ...days.map((check) => ({ ...check, file: `telemetry/${check.file}` })),
    ];
    const damaged = files.filter(({ problems }) => problems.length > 0);
    // For scripts: damage is a failure.
    if (damaged.length > 0) process.exitCode = 1;
    const rows = damaged.map((each) => ({
      file: each.file,
      day: each.day ?? 'all',
      accounts: each.accounts.join(', ') || 'all',
      datasets: each.problems.map(({ dataset }) => dataset ?? 'control store').join(', '),
      problem: each.problems[0]?.reason.split('\n')[0]?.slice(0, 120) ?? '',
    }));
    const summary = `Files read: ${files.length}, damaged: ${damaged.length}.`;
    const advice =
      damaged.length === 0
        ? ''
        : '\nReplace a damaged file with a copy, or restore a backup. Until then, searches with "partial": true skip the damaged day.';
    return {
      data: { files, damaged: damaged.length },
      text: damaged.length === 0 ? summary : `${table(rows, '')}\n\n${summary}${advice}`,
    };
  },
};

/** Checked here, because it would block the server. PostgreSQL has its own tools. */
function controlFile(url: string): VerifiedFile[] {
  const path = url.startsWith('sqlite:') ? sqliteFile(url) : '';
  if (!existsSync(path)) return [];
  return [{ file: basename(path), accounts: [], records: null, problems: integrityOf(path) }];
}

function integrityOf(path: string): { reason: string }[] {
  try {
    const database = openForReading(path);
    const results = database.prepare('pragma integrity_check(20)').all() as { integrity_check: string }[];
    database.close();
    return results
      .filter(({ integrity_check }) => integrity_check !== 'ok')
      .map(({ integrity_check }) => ({ reason: integrity_check }));
  } catch (error) {
    return [{ reason: (error as Error).message }];
  }
}

export const verifyCommands = [verify];
