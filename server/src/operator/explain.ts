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

const Asked = Type.Object({
  account: Type.Optional(Type.String({ maxLength: 200 })),
  queryText,
  ...RunOptions,
});
type Asked = Type.Static<typeof Asked>;
const asked = new Validator(Asked, 'body');

export interface ExplainedQuery {
  readonly sql: string;
  /** As text, for whole numbers may have more digits than a number of JavaScript. */
  readonly parameters: readonly string[];
  readonly plan: string;
}

/** What the engine would do for a query in an account; in the first one when none is named. */
export async function explainQuery(body: Buffer, deps: ExplainDeps): Promise<ExplainedQuery> {
  const { store, language, runner, clock } = deps;
  const given = readJson(body);
  const directory = new Directory(store, 'operator');
  const { id } = await directory.account(given.account ?? (await directory.organization()).name);
  const run = { account: id, ...readRun(given, clock.now()) };
  const { sql, parameters, drawing } = await runner.explain(
    await language.readGiven(id, given.queryText),
    run,
  );
  return { sql, parameters: parameters.map(String), plan: drawing };
}

function readJson(body: Buffer): Asked {
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    throw new Refusal('INVALID_INPUT', 'The body is not valid JSON.');
  }
  asked.check(value);
  return value as Asked;
}
