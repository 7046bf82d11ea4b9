import { Type } from 'typebox';
import { evaluatorId, queryText } from '../../detection/queries/form.ts';
import type { Queries } from '../../detection/queries/queries.ts';
import type { Family } from '../../http/family.ts';
import { JsonChunks } from '../../http/reply.ts';
import { defineRoute, type Route } from '../../http/route.ts';
import type { Clock } from '../../platform/clock.ts';
import type { QueryLanguage } from '../../querying/language.ts';
import type { ReadQuery } from '../../querying/read-query.ts';
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
    description: 'The rows, each by the names of its columns.',
  }),
});
const description =
  'Numbers are exact, moments are texts in UTC with milliseconds, and JSON is nested as it is. The range of time may be of any length.';
const common = {
  method: 'POST',
  access: 'read',
  cancellable: true,
  description,
  replies: { 200: rows },
} as const;

/** How queries are run: by their text, or by their id. */
export function executionRoutes(
  family: Family,
  { queries, language, runner, clock }: ExecutionDeps,
): Route[] {
  const execute = defineRoute({
    ...common,
    path: '/api/v2/Queries/execute',
    family,
    summary: 'Run the text of a query',
    body: Type.Object({
      query: Type.Object({ queryText, evaluatorId }, { description: 'What to run.' }),
      ...RunOptions,
    }),
    refuses: ['INVALID_QUERY', 'INVALID_TIME_RANGE', 'DATA_DAMAGED'],
  });
  const executeSaved = defineRoute({
    ...common,
    path: '/api/v2/Queries/{queryId}/execute',
    family,
    summary: 'Run a saved query',
    params: Type.Object({
      queryId: Type.String({ minLength: 1, maxLength: 200, description: 'Identifier (queryId).' }),
    }),
    body: Type.Union([Type.Object(RunOptions), Type.Null()]),
    refuses: ['NOT_FOUND', 'INVALID_QUERY', 'INVALID_TIME_RANGE', 'DATA_DAMAGED'],
  });
  const answer = async (query: ReadQuery, account: string, given: RunRequest, signal: AbortSignal) => {
    const run = { account, ...readRun(given, clock.now()) };
    return { status: 200, body: await JsonChunks.array(runner.run(query, run, signal)) } as const;
  };
  return [
    execute.handle(async ({ scope, body, signal }) =>
      answer(
        await language.readGiven(scope.ownerId, body.query.queryText, signal),
        scope.ownerId,
        body,
        signal,
      ),
    ),
    executeSaved.handle(async ({ scope, params, body, signal }) =>
      answer(await queries.read(scope.ownerId, params.queryId, signal), scope.ownerId, body ?? {}, signal),
    ),
  ];
}
