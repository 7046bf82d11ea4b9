import type { Kysely } from 'kysely';
import { type ColumnTypes, createTable } from '../columns.ts';
import type { ControlDialect } from '../connect.ts';

type Kind = keyof ColumnTypes;
/** Column name and type; a question mark makes it nullable. */
type Columns = Readonly<Record<string, Kind | `${Kind}?`>>;

export async function up(db: Kysely<unknown>, dialect: ControlDialect, type: ColumnTypes): Promise<void> {
  const create = async (name: string, columns: Columns, key: readonly string[]) => {
    const table = Object.entries(columns).reduce(
      (made, [column, holds]) => {
        const kind = holds.replace('?', '') as Kind;
        return made.addColumn(column, type[kind], (to) => (holds.endsWith('?') ? to : to.notNull()));
      },
      createTable(db, dialect, name),
    );
    await table.addPrimaryKeyConstraint(`${name}_key`, key as never).execute();
  };
  const index = (name: string, table: string, columns: string[]) =>
    db.schema.createIndex(name).on(table).columns(columns).execute();

  await create(
    'evaluations',
    {
      ...{ owner_id: 'text', policy_id: 'text', place: 'text', due_at: 'instant', leased_until: 'instant' },
      ...{ sequence: 'count', followed: 'text?', started_at: 'instant?', finished_at: 'instant?' },
      ...{ failures: 'count', problem: 'text?', counts: 'text?', basis: 'text?' },
    },
    ['owner_id', 'policy_id', 'place'],
  );
  await index('evaluations_by_due', 'evaluations', ['place', 'due_at']);
  await create(
    'violations',
    {
      ...{ owner_id: 'text', policy_id: 'text', place: 'text', key: 'text', name: 'text' },
      ...{ alert_id: 'count?', exception_id: 'text?', first_at: 'instant', last_at: 'instant' },
    },
    ['owner_id', 'policy_id', 'place', 'key'],
  );
  await index('violations_by_last', 'violations', ['owner_id', 'policy_id', 'place', 'last_at']);
  await create(
    'alerts',
    {
      ...{ id: 'count', owner_id: 'text', policy_id: 'text', window_start: 'instant', round: 'count' },
      ...{ alert_name: 'text', alert_type: 'text', severity: 'text', status: 'text', alert_info: 'text' },
      ...{ alert_spec: 'text?', derived_fields: 'text', reachability: 'text', violations: 'count' },
      ...{ listed: 'count', start_at: 'instant', end_at: 'instant', user_updated_at: 'instant?' },
      ...{ close_reason: 'count?', is_routed: 'flag', created_at: 'instant', updated_at: 'instant' },
      ...{ entity_map: 'text', marks: 'text' },
    },
    ['owner_id', 'id'],
  );
  await db.schema
    .createIndex('alerts_by_window')
    .on('alerts')
    .columns(['owner_id', 'policy_id', 'window_start', 'round'])
    .unique()
    .execute();
  await index('alerts_by_start', 'alerts', ['owner_id', 'start_at', 'id']);
  await create('evidence', { id: 'text', owner_id: 'text', place: 'text', records: 'text' }, ['id']);
  await index('evidence_by_place', 'evidence', ['place', 'id']);
  await create(
    'activity_summaries',
    {
      ...{ owner_id: 'text', place: 'text', stream: 'text', leased_until: 'instant', through: 'instant' },
      ...{ sequence: 'count', is_ahead: 'flag', run: 'text?' },
    },
    ['owner_id', 'place', 'stream'],
  );
  await create('alert_entities', { owner_id: 'text', entity: 'text', alert_id: 'count' }, [
    ...['owner_id', 'entity', 'alert_id'],
  ]);
  await index('alert_entities_by_alert', 'alert_entities', ['owner_id', 'alert_id']);
  await create(
    'alert_entries',
    {
      ...{ id: 'count', owner_id: 'text', alert_id: 'count', entry_type: 'text', author_type: 'text' },
      ...{ message: 'text', format: 'text', channel_id: 'text?', user_id: 'text?', user_name: 'text' },
      ...{ context: 'text', created_at: 'instant' },
    },
    ['owner_id', 'id'],
  );
  await index('alert_entries_by_alert', 'alert_entries', ['owner_id', 'alert_id', 'id']);
  await create(
    'deliveries',
    {
      ...{ id: 'text', owner_id: 'text', alert_id: 'count', channel_id: 'text', occasion: 'text' },
      ...{ message: 'text', state: 'text', attempts: 'count', due_at: 'instant', created_at: 'instant' },
      ...{ updated_at: 'instant', problem: 'text?', external: 'text?' },
    },
    ['id'],
  );
  await index('deliveries_by_due', 'deliveries', ['state', 'due_at']);
  await db.schema
    .createIndex('deliveries_by_alert')
    .on('deliveries')
    .columns(['owner_id', 'alert_id', 'channel_id', 'occasion'])
    .unique()
    .execute();
  await create(
    'channel_circuits',
    { channel_id: 'text', failures: 'count', opened_at: 'instant', open_until: 'instant' },
    ['channel_id'],
  );
  await create(
    'exports',
    {
      ...{ owner_id: 'text', rule_id: 'text', channel_id: 'text', place: 'text', dataset: 'text' },
      ...{ hour: 'instant', state: 'text', attempts: 'count', due_at: 'instant', records: 'count' },
      ...{ object: 'text?', problem: 'text?', updated_at: 'instant' },
    },
    ['owner_id', 'rule_id', 'channel_id', 'place', 'dataset', 'hour'],
  );
  await index('exports_by_due', 'exports', ['place', 'state', 'due_at']);
}
