import { Type } from 'typebox';
import { evaluatorId, queryText } from '../../detection/queries/form.ts';
import { QueryRecord, resultSchema, resultSchemaOf } from '../../detection/queries/record.ts';
import type { Family } from '../../http/family.ts';
import { defineRoute, type Route } from '../../http/route.ts';
import type { QueryLanguage } from '../../querying/language.ts';

const Validated = Type.Object(
  {
    queryId: Type.Optional(
      Type.String({ maxLength: 72_000, description: 'The name before the text, where it has one.' }),
    ),
    queryText,
    resultSchema,
    evaluatorId: QueryRecord.properties.evaluatorId,
    warnings: Type.Array(Type.String({ maxLength: 5_000 }), {
      description: 'What is probably not meant, with line and column.',
    }),
  },
  { description: 'What was checked, and what it would return.' },
);

/** Says whether a text is a query without running or saving it. */
export function validationRoute(family: Family, language: QueryLanguage): Route {
  return defineRoute({
    method: 'POST',
    path: '/api/v2/Queries/validate',
    family,
    summary: 'Check the text of a query',
    description: 'What is wrong is refused with line and column. Nothing is run or saved.',
    access: 'read',
    cancellable: true,
    body: Type.Object({ queryText, evaluatorId }),
    replies: { 200: Type.Object({ data: Validated }) },
    refuses: ['INVALID_QUERY'],
  }).handle(async ({ scope, body, signal }) => {
    const read = await language.readGiven(scope.ownerId, body.queryText, signal);
    const { text, id, warnings } = read;
    const data = {
      ...(id !== undefined && { queryId: id }),
      queryText: text,
      resultSchema: resultSchemaOf(read),
      ...(body.evaluatorId && { evaluatorId: body.evaluatorId }),
      warnings: [...warnings],
    };
    return { status: 200, body: { data } };
  });
}
