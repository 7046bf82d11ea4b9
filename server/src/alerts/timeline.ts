import { nextNumber } from '../control/sequence.ts';
import type { ControlTransaction } from '../control/store.ts';
import type { Tables } from '../control/tables.ts';

export type TimelineRow = Tables['alert_entries'];

/** What an entry of a timeline tells. */
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
