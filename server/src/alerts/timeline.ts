import { nextNumber } from '../control/sequence.ts';
import type { ControlTransaction } from '../control/store.ts';
import type { Tables } from '../control/tables.ts';

export type TimelineRow = Tables['alert_entries'];

/** Kind of a timeline entry. */
export type EntryType =
  | 'Opened'
  | 'NewViolations'
  | 'ClearedViolations'
  | 'Routing'
  | 'Delivery'
  | 'Comment'
  | 'Closed';

/** Who says it: a person, the service itself, or the other side of a channel. */
export type AuthorType = 'UserUpdate' | 'SystemUpdate' | 'IntegrationUpdate';

export type TextFormat = 'plaintext' | 'markdown' | '';

export interface TimelineEntry {
  readonly ownerId: string;
  readonly alertId: number;
  readonly type: EntryType;
  readonly message: string;
  readonly at: number;
  /** The service itself unless said. */
  readonly author?: AuthorType;
  readonly format?: TextFormat;
  /** The alert channel that it is about. */
  readonly channelId?: string;
  readonly user?: { readonly id: string; readonly name: string };
  /** What programs may want to know besides. */
  readonly context?: Readonly<Record<string, unknown>>;
}

/** Characters of a message; what is longer is cut. */
export const longestMessage = 20_000;

/** Writes something on the timeline of an alert. */
export async function addEntry(tx: ControlTransaction, entry: TimelineEntry): Promise<TimelineRow> {
  const row: TimelineRow = {
    id: await nextNumber(tx, entry.ownerId, 'alert entry'),
    owner_id: entry.ownerId,
    alert_id: entry.alertId,
    entry_type: entry.type,
    author_type: entry.author ?? 'SystemUpdate',
    message: entry.message.slice(0, longestMessage),
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
  /** Some of what is counted, as people call it. */
  readonly names: readonly string[];
  readonly total: number;
  /** What is counted, in the singular and in the plural. */
  readonly one: string;
  readonly many: string;
}

interface Counted {
  readonly what: string;
  readonly violations: number;
  readonly names: readonly string[];
}

const mostNames = 10;
const longestName = 200;

/**
 * Notes how many of something there are. When the last entry counts the same it counts on, so that violations which
 * arrive one after the other do not fill the timeline. The alert must be held.
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
  const none: Counted = { what: many, violations: 0, names: [] };
  const latest: Counted = last?.entry_type === type ? JSON.parse(last.context) : none;
  const before = last?.entry_type === type && latest.what === many ? last : undefined;
  const counted = before ? latest : none;
  const total = counted.violations + count.total;
  const names = [...new Set([...counted.names, ...count.names.map((name) => name.slice(0, longestName))])];
  const shown = names.slice(0, mostNames);
  const rest = total - shown.length;
  const listed = [...shown, ...(rest > 0 && shown.length > 0 ? [`${rest} more`] : [])].join(', ');
  const message = `${total} ${total === 1 ? one : many}${listed && `: ${listed}`}.`;
  const context = { what: many, violations: total, names: shown } satisfies Counted;
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
