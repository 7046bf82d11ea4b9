import type { Kysely } from 'kysely';
import { Type } from 'typebox';
import type { Tables } from '../control/tables.ts';

/** Clients call `ok` Ok and anything else Pending, and show the details: these tell never tried from failed. */
export const IntegrationState = Type.Object(
  {
    ok: Type.Boolean({
      description: 'Whether it worked the last time; false as long as nobody tried it.',
    }),
    lastUpdatedTime: Type.Integer({
      description: 'When that was found out, or since when it is untried, epoch milliseconds.',
    }),
    lastSuccessfulTime: Type.Integer({ description: 'When it worked last, epoch milliseconds; 0: never.' }),
    details: Type.Record(Type.String({ maxLength: 200 }), Type.Unknown(), { description: 'What was found.' }),
  },
  { description: 'Whether it works.' },
);
export type IntegrationState = Type.Static<typeof IntegrationState>;

/** The state of settings that nobody has tried; what worked before a change is remembered. */
export function untriedState(
  since: number,
  { lacksSecret = false, lastSuccessfulTime = 0 } = {},
): IntegrationState {
  const message = lacksSecret ? 'A secret is missing: add it.' : 'Not tried yet.';
  return { ok: false, lastUpdatedTime: since, lastSuccessfulTime, details: { message } };
}

/** Rows of earlier releases, in this store or in an archive, call what nobody tried ok. */
export async function correctUntriedStates(db: Kysely<Tables>): Promise<void> {
  const rows = await db
    .selectFrom('integrations')
    .select(['id', 'state'])
    .where('state', 'like', '%"ok":true%')
    .where('state', 'like', '%"lastSuccessfulTime":0%')
    .execute();
  for (const { id, state } of rows) {
    const { ok, lastUpdatedTime, lastSuccessfulTime } = JSON.parse(state ?? '{}') as IntegrationState;
    if (!ok || lastSuccessfulTime !== 0) continue;
    await db
      .updateTable('integrations')
      .set({ state: JSON.stringify(untriedState(lastUpdatedTime)) })
      .where('id', '=', id)
      .execute();
  }
}
