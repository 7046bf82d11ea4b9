import { nextNumber } from '../control/sequence.ts';
import type { ControlTransaction } from '../control/store.ts';
import type { Tables } from '../control/tables.ts';

export type TimelineRow = Tables['alert_entries'];

export type EntryType =
  | 'Opened'
  | 'NewViolations'
  | 'ClearedViolations'
  | 'Routing'
  | 'Delivery'
  | 'Comment'
  | 'Closed';

/** Author of an entry: a user, the service, or the receiver behind a channel. */
export type AuthorType = 'UserUpdate' | 'SystemUpdate' | 'IntegrationUpdate';

export type MessageFormat = 'plaintext' | 'markdown' | '';

export interface TimelineEntry {
  readonly ownerId: string;
  readonly alertId: number;
  readonly type: EntryType;
  readonly message: string;
  readonly at: number;
  /** Defaults to the service. */
  readonly author?: AuthorType;
  readonly format?: MessageFormat;
  /** The alert channel of the entry. */
  readonly channelId?: string;
  readonly user?: { readonly id: string; readonly name: string };
  /** Machine-readable details. */
  readonly context?: Readonly<Record<string, unknown>>;
}

/** Characters; longer messages are truncated. */
export const maxMessageLength = 20_000;

export async function addEntry(tx: ControlTransaction, entry: TimelineEntry): Promise<TimelineRow> {
  const row: TimelineRow = {
    id: await nextNumber(tx, entry.ownerId, 'alert entry'),
    owner_id: entry.ownerId,
    alert_id: entry.alertId,
    entry_type: entry.type,
    author_type: entry.author ?? 'SystemUpdate',
    message: entry.message.slice(0, maxMessageLength),
    format: entry.format ?? '',
    channel_id: entry.channelId ?? null,
    user_id: entry.user?.id ?? null,
    user_name: entry.user?.name ?? '',
    context: JSON.stringify(entry.context ?? {}),
    created_at: entry.at,
  };
  await tx.insertInto('alert_entries').values(row).execute();
  return row;
}

interface Count extends Pick<TimelineEntry, 'ownerId' | 'alertId' | 'type' | 'at'> {
  /** Display names of some of them. */
  readonly names: readonly string[];
  readonly total: number;
  /** Label in singular and plural. */
  readonly one: string;
  readonly many: string;
}

interface CountContext {
  readonly what: string;
  readonly violations: number;
  readonly names: readonly string[];
}

const maxNames = 10;
const maxNameLength = 200;

/**
 * Adds a count to the timeline. It updates the last entry if that has the same type and label, so that violations
 * arriving one by one do not flood the timeline. The caller must hold the lock of the alert.
 */
export async function addCount(tx: ControlTransaction, count: Count): Promise<void> {
  const { ownerId, alertId, type, at, one, many } = count;
  const last = await tx
    .selectFrom('alert_entries')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .where('alert_id', '=', alertId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const none: CountContext = { what: many, violations: 0, names: [] };
  const latest: CountContext = last?.entry_type === type ? JSON.parse(last.context) : none;
  const before = last?.entry_type === type && latest.what === many ? last : undefined;
  const previous = before ? latest : none;
  const total = previous.violations + count.total;
  const names = [...new Set([...previous.names, ...count.names.map((name) => name.slice(0, maxNameLength))])];
  const shown = names.slice(0, maxNames);
  const rest = total - shown.length;
  const nameList = [...shown, ...(rest > 0 && shown.length > 0 ? [`${rest} more`] : [])].join(', ');
  const message = `${total} ${total === 1 ? one : many}${nameList && `: ${nameList}`}.`;
  const context = { what: many, violations: total, names: shown } satisfies CountContext;
  if (!before) {
    await addEntry(tx, { ownerId, alertId, type, at, message, context });
    return;
  }
  await tx
    .updateTable('alert_entries')
    .set({ message, context: JSON.stringify(context) })
    .where('owner_id', '=', ownerId)
    .where('id', '=', before.id)
    .execute();
}
