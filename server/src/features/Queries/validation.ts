import { Type } from 'typebox';
import { evaluatorId, queryText } from '../../detection/queries/form.ts';
import { QueryRecord, resultSchema, resultSchemaOf } from '../../detection/queries/record.ts';
import type { Family } from '../../http/family.ts';
import { defineRoute, type Route } from '../../http/route.ts';
import type { QueryLanguage } from '../../querying/language.ts';

const ValidatedQuery = Type.Object(
  {
    queryId: Type.Optional(
      Type.String({
        maxLength: 72_000,
        description: 'The name at the beginning of the query text, if it has one.',
      }),
    ),
    queryText,
    resultSchema,
    evaluatorId: QueryRecord.properties.evaluatorId,
    warnings: Type.Array(Type.String({ maxLength: 5_000 }), {
      description: 'Likely mistakes, with line and column.',
    }),
  },
  { description: 'The validated query, with the columns that it returns.' },
);

/** Validates a query without executing or saving it. */
export function validationRoute(family: Family, language: QueryLanguage): Route {
  return defineRoute({
    method: 'POST',
    path: '/api/v2/Queries/validate',
    family,
    summary: 'Validate a query',
    description: 'Errors are reported with line and column. The query is neither executed nor saved.',
    access: 'read',
    cancellable: true,
    body: Type.Object({ queryText, evaluatorId }),
    replies: { 200: Type.Object({ data: ValidatedQuery }) },
    refuses: ['INVALID_QUERY'],
  }).handle(async ({ scope, body, signal }) => {
    const query = await language.readUserQuery(scope.ownerId, body.queryText, signal);
    const { text, id, warnings } = query;
    const data = {
      ...(id !== undefined && { queryId: id }),
      queryText: text,
      resultSchema: resultSchemaOf(query),
      ...(body.evaluatorId && { evaluatorId: body.evaluatorId }),
      warnings: [...warnings],
    };
    return { status: 200, body: { data } };
  });
}
