import { type TSchema, Type } from 'typebox';
import { choice } from '../integrations/members.ts';

const mode = choice(['INCLUDE', 'EXCLUDE', 'ALL'], 'Whether the list is meant, or all but the list.');
const names = (description: string) =>
  Type.Optional(Type.Array(Type.String({ maxLength: 300 }), { maxItems: 5_000, description }));
const filters = (list: string, description: string, schema: TSchema) =>
  Type.Optional(Type.Object({ filterMode: Type.Optional(mode), [list]: schema }, { description }));

/** What is looked at for sensitive data. */
export const dspmProps = Type.Object({
  dspm: Type.Optional(
    Type.Object(
      {
        scanIntervalHours: Type.Optional(Type.Integer({ minimum: 0, description: 'Hours between scans.' })),
        maxDownloadBytes: Type.Optional(
          Type.Integer({ minimum: 0, description: 'Most bytes read of one object.' }),
        ),
        datastoreFilters: filters('datastoreNames', 'Stores.', names('Names of the stores.')),
        accountFilters: filters('accountIds', 'Accounts or subscriptions.', names('Their ids.')),
      },
      { description: 'Settings of the scan.' },
    ),
  ),
});
