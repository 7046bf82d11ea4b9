import { clouds } from '@vedette/server/collect/inventory/cloud';
import { resourceLimits } from '@vedette/server/telemetry/resource-form';
import { scopeStatuses } from '@vedette/server/telemetry/snapshot';
import { UsageError } from '../usage-error.ts';
import { resourceVersion } from './resource-file.ts';

type Members = Readonly<Record<string, unknown>>;

/** Refuses a first line that this release does not read. */
export function checkHead(head: object): void {
  const { version, cloud } = head as Members;
  if (version !== resourceVersion)
    throw new UsageError(`version must be ${resourceVersion}: write the file with this release of vedette.`);
  oneOf('cloud', cloud, clouds);
}

/** Refuses a line that does not name its snapshot. */
export function checkId(line: object): void {
  const members = line as Members;
  for (const name of ['kind', 'cloudAccount', 'region']) {
    const value = members[name];
    if (typeof value !== 'string' || value === '' || value.length > resourceLimits.fact)
      throw new UsageError(`${name} must be a string of 1 to ${resourceLimits.fact} characters.`);
  }
  integer('started', members.started);
}

export function checkSnapshot(line: object): void {
  checkId(line);
  const { ended, lines, status, reason } = line as Members;
  integer('ended', ended);
  integer('lines', lines);
  oneOf('status', status, scopeStatuses);
  if (typeof reason !== 'string') throw new UsageError('reason must be a string.');
}

export function checkEnd(line: object): void {
  const { problems } = line as Members;
  if (!Array.isArray(problems)) throw new UsageError('problems must be an array.');
  for (const problem of problems) {
    const { status, reason } = Object(problem) as Members;
    oneOf('problems[].status', status, scopeStatuses);
    if (typeof reason !== 'string') throw new UsageError('problems[].reason must be a string.');
  }
}

function integer(name: string, value: unknown): void {
  if (!Number.isSafeInteger(value) || (value as number) < 0)
    throw new UsageError(`${name} must be an integer from 0 on.`);
}

function oneOf(name: string, value: unknown, known: readonly string[]): void {
  if (!known.includes(value as string)) throw new UsageError(`${name} must be one of ${known.join(', ')}.`);
}
