import { type Kysely, Migrator } from 'kysely';
import { Refusal } from '../platform/errors.ts';
import { isTransient } from '../platform/sqlite-error.ts';
import { StartError } from '../platform/start-error.ts';
import { type ColumnTypes, columnTypes } from './columns.ts';
import type { ControlDialect } from './connect.ts';
import * as identity from './migrations/0001-identity.ts';
import * as acts from './migrations/0002-acts.ts';
import * as integrations from './migrations/0003-integrations.ts';
import * as rules from './migrations/0004-rules.ts';
import * as agentTokens from './migrations/0005-agent-tokens.ts';
import * as resourceGroups from './migrations/0006-resource-groups.ts';
import * as team from './migrations/0007-team.ts';
import * as alertProfiles from './migrations/0008-alert-profiles.ts';
import * as detection from './migrations/0009-detection.ts';
import * as savedSearches from './migrations/0010-saved-searches.ts';
import * as restores from './migrations/0011-restores.ts';
import * as alerts from './migrations/0012-alerts.ts';
import * as delivery from './migrations/0013-delivery.ts';
import * as retiredKeys from './migrations/0014-retired-keys.ts';
import * as outboxOwners from './migrations/0015-outbox-owners.ts';
import * as alertEventTimes from './migrations/0016-alert-event-times.ts';
import * as collectors from './migrations/0017-collectors.ts';
import * as auditLogs from './migrations/0018-audit-logs.ts';
import * as reportDefinitions from './migrations/0019-report-definitions.ts';
import * as replacedAgentTokens from './migrations/0020-replaced-agent-tokens.ts';
import * as sessions from './migrations/0021-sessions.ts';

interface Migration {
  up(db: Kysely<unknown>, dialect: ControlDialect, type: ColumnTypes): Promise<void>;
}

const migrations: Record<string, Migration> = {
  '0001-identity': identity,
  '0002-acts': acts,
  '0003-integrations': integrations,
  '0004-rules': rules,
  '0005-agent-tokens': agentTokens,
  '0006-resource-groups': resourceGroups,
  '0007-team': team,
  '0008-alert-profiles': alertProfiles,
  '0009-detection': detection,
  '0010-saved-searches': savedSearches,
  '0011-restores': restores,
  '0012-alerts': alerts,
  '0013-delivery': delivery,
  '0014-retired-keys': retiredKeys,
  '0015-outbox-owners': outboxOwners,
  '0016-alert-event-times': alertEventTimes,
  '0017-collectors': collectors,
  '0018-audit-logs': auditLogs,
  '0019-report-definitions': reportDefinitions,
  '0020-replaced-agent-tokens': replacedAgentTokens,
  '0021-sessions': sessions,
};

export const newestMigration = Object.keys(migrations).sort().at(-1) as string;

export function isKnownMigration(name: string): boolean {
  return Object.hasOwn(migrations, name);
}

/** Migrates the schema in one transaction. If several nodes start together, one migrates and the others wait. */
export async function migrate(
  db: Kysely<unknown>,
  dialect: ControlDialect,
  to: string = newestMigration,
): Promise<void> {
  const type = columnTypes(dialect);
  const bound = Object.entries(migrations).map(([name, { up }]) => [
    name,
    { up: (tx: Kysely<unknown>) => up(tx, dialect, type) },
  ]);
  const provider = { getMigrations: async () => Object.fromEntries(bound) };
  const { error } = await new Migrator({ db, provider }).migrateTo(to);
  if (error) throw migrationFailure(error);
}

/** Incompatible or damaged stores prevent the start; transient failures are passed on. */
function migrationFailure(error: unknown): unknown {
  if (error instanceof Refusal || isTransient(error)) return error;
  const { message } = error as Error;
  const unknown = /previously executed migration (\S+) is missing/.exec(message)?.[1];
  if (unknown !== undefined && unknown > newestMigration)
    return new StartError(
      `The control store was written by a newer version of Vedette (${unknown}): start that version, or restore a backup of this one.`,
    );
  return schemaDamaged(message);
}

export function schemaDamaged(reason: string): StartError {
  const line = reason.replaceAll(/\s+/g, ' ').trim();
  return new StartError(
    `The schema of the control store is damaged (${line}): put the store back from a copy; or start with an empty one and VEDETTE_START_EMPTY=1, and restore a backup.`,
  );
}
