import { Type } from 'typebox';
import { evaluatorId, queryText } from '../../detection/queries/form.ts';
import type { Queries } from '../../detection/queries/queries.ts';
import type { Family } from '../../http/family.ts';
import { JsonChunks } from '../../http/reply.ts';
import { defineRoute, type Route } from '../../http/route.ts';
import type { Clock } from '../../platform/clock.ts';
import type { QueryLanguage } from '../../querying/language.ts';
import type { ParsedQuery } from '../../querying/read-query.ts';
import { RunOptions, type RunRequest, readRun } from '../../querying/request.ts';
import type { QueryRunner } from '../../querying/runner.ts';

export interface ExecutionDeps {
  readonly queries: Queries;
  readonly language: QueryLanguage;
  readonly runner: QueryRunner;
  readonly clock: Clock;
}

const rows = Type.Object({
  data: Type.Array(Type.Record(Type.String({ maxLength: 72_000 }), Type.Unknown()), {
    description: 'The rows, as objects with the column names as members.',
  }),
});
const description =
  'Numbers are exact, timestamps are strings in UTC with milliseconds, and JSON columns are nested. The time range can have any length.';
const common = {
  method: 'POST',
  access: 'read',
  cancellable: true,
  description,
  replies: { 200: rows },
} as const;

/** Routes that execute a query, given its text or its id. */
export function executionRoutes(
  family: Family,
  { queries, language, runner, clock }: ExecutionDeps,
): Route[] {
  const execute = defineRoute({
    ...common,
    path: '/api/v2/Queries/execute',
    family,
    summary: 'Execute a query',
    body: Type.Object({
      query: Type.Object({ queryText, evaluatorId }, { description: 'The query to execute.' }),
      ...RunOptions,
    }),
    refuses: ['INVALID_QUERY', 'INVALID_TIME_RANGE', 'DATA_DAMAGED'],
  });
  const executeSaved = defineRoute({
    ...common,
    path: '/api/v2/Queries/{queryId}/execute',
    family,
    summary: 'Execute a saved query',
    params: Type.Object({
      queryId: Type.String({ minLength: 1, maxLength: 200, description: 'Identifier (queryId).' }),
    }),
    body: Type.Union([Type.Object(RunOptions), Type.Null()]),
    refuses: ['NOT_FOUND', 'INVALID_QUERY', 'INVALID_TIME_RANGE', 'DATA_DAMAGED'],
  });
  const execution = async (query: ParsedQuery, account: string, request: RunRequest, signal: AbortSignal) => {
    const run = { account, ...readRun(request, clock.now()) };
    return { status: 200, body: await JsonChunks.array(runner.run(query, run, signal)) } as const;
  };
  return [
    execute.handle(async ({ scope, body, signal }) =>
      execution(
        await language.readUserQuery(scope.ownerId, body.query.queryText, signal),
        scope.ownerId,
        body,
        signal,
      ),
    ),
    executeSaved.handle(async ({ scope, params, body, signal }) =>
      execution(await queries.read(scope.ownerId, params.queryId, signal), scope.ownerId, body ?? {}, signal),
    ),
  ];
}
