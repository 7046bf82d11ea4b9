import { type TSchema, Type } from 'typebox';
import { choice } from '../integrations/members.ts';

const mode = choice(
  ['INCLUDE', 'EXCLUDE', 'ALL'],
  'Whether only the given names are scanned, all except them, or all.',
);
const names = (description: string) =>
  Type.Optional(Type.Array(Type.String({ maxLength: 300 }), { maxItems: 5_000, description }));
const filters = (member: string, description: string, schema: TSchema) =>
  Type.Optional(Type.Object({ filterMode: Type.Optional(mode), [member]: schema }, { description }));

/** Settings of scans for sensitive data. */
export const dspmProps = Type.Object({
  dspm: Type.Optional(
    Type.Object(
      {
        scanIntervalHours: Type.Optional(Type.Integer({ minimum: 0, description: 'Hours between scans.' })),
        maxDownloadBytes: Type.Optional(
          Type.Integer({ minimum: 0, description: 'Maximum bytes read per object.' }),
        ),
        datastoreFilters: filters('datastoreNames', 'Data stores.', names('Names of the data stores.')),
        accountFilters: filters('accountIds', 'Accounts or subscriptions.', names('Their ids.')),
      },
      { description: 'Settings of the scan.' },
    ),
  ),
});
