import { type Static, Type } from 'typebox';
import { omissible } from '../../platform/omissible.ts';

export const queryText = Type.String({
  pattern: '\\S',
  minLength: 1,
  maxLength: 72_000,
  description: 'The query in LQL; stored byte for byte.',
});
export const evaluatorId = omissible(
  Type.String({ maxLength: 200, description: 'Sent by older clients; it has no effect.' }),
);
const optionalMembers = {
  queryName: omissible(Type.String({ maxLength: 1_000, description: 'Display name.' })),
  description: omissible(Type.String({ maxLength: 10_000, description: 'Description of the query.' })),
  evaluatorId,
  usageContext: omissible(
    Type.Record(Type.String({ maxLength: 200 }), Type.Unknown(), { description: 'Usage context.' }),
  ),
};

export const QueryCreation = Type.Object({
  queryId: Type.String({
    // These three words are paths of endpoints.
    pattern: '^(?!(?:execute|validate|search)$)[A-Za-z0-9_$.-]+$',
    minLength: 1,
    maxLength: 200,
    description: 'Identifier: letters, digits, _, $, . and -, but not execute, validate or search.',
  }),
  queryText,
  ...optionalMembers,
});
export type QueryCreation = Static<typeof QueryCreation>;

export const QueryChange = Type.Object({ queryText: omissible(queryText), ...optionalMembers });
export type QueryChange = Static<typeof QueryChange>;
