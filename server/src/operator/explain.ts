import { Type } from 'typebox';
import type { ControlStore } from '../control/store.ts';
import { queryText } from '../detection/queries/form.ts';
import { Directory } from '../identity/directory.ts';
import type { Clock } from '../platform/clock.ts';
import { Refusal } from '../platform/errors.ts';
import { Validator } from '../platform/validator.ts';
import type { QueryLanguage } from '../querying/language.ts';
import { RunOptions, readRun } from '../querying/request.ts';
import type { QueryRunner } from '../querying/runner.ts';

export interface ExplainDeps {
  readonly store: ControlStore;
  readonly language: QueryLanguage;
  readonly runner: QueryRunner;
  readonly clock: Clock;
}

const ExplainRequest = Type.Object({
  account: Type.Optional(Type.String({ maxLength: 200 })),
  queryText,
  ...RunOptions,
});
type ExplainRequest = Type.Static<typeof ExplainRequest>;
const validator = new Validator(ExplainRequest, 'body');

export interface QueryPlan {
  readonly sql: string;
  /** As strings, because integers may exceed the precision of JavaScript numbers. */
  readonly parameters: readonly string[];
  readonly plan: string;
}

/** The execution plan of a query in an account; default: the primary account. */
export async function explainQuery(body: Buffer, deps: ExplainDeps): Promise<QueryPlan> {
  const { store, language, runner, clock } = deps;
  const request = readJson(body);
  const directory = new Directory(store, 'operator');
  const { id } = await directory.account(request.account ?? (await directory.organization()).name);
  const run = { account: id, ...readRun(request, clock.now()) };
  const { sql, parameters, explanation } = await runner.explain(
    await language.readUserQuery(id, request.queryText),
    run,
  );
  return { sql, parameters: parameters.map(String), plan: explanation };
}

function readJson(body: Buffer): ExplainRequest {
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    throw new Refusal('INVALID_INPUT', 'The body is not valid JSON.');
  }
  validator.check(value);
  return value as ExplainRequest;
}
