import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import type { ExplainedQuery } from '@vedette/server/operator/explain';
import { type Answer, messageOf } from '../api/api-client.ts';
import { clientOf, keyOptions } from '../api/key-client.ts';
import type { Command, Given, OptionValues, Report } from '../command.ts';
import { askServer, readJson } from '../operator.ts';
import { readRows } from '../querying/answer.ts';
import { withPlaces } from '../querying/complaint.ts';
import { csvOf, jsonOf, tableOf } from '../querying/shown.ts';
import { readTimestamp } from '../querying/timestamp.ts';
import { UsageError } from '../usage-error.ts';
import { wholeNumber } from '../whole-number.ts';

const query: Command = {
  words: ['query'],
  positionals: ['[TEXT]'],
  options: {
    file: {
      type: 'string',
      value: 'FILE',
      meaning: 'file with the text of the query; - reads what is piped in',
    },
    start: {
      type: 'string',
      value: 'TIME',
      meaning:
        'start of the range of time, or how long ago: -7d (s, m, h, d, w); a day before its end without it',
    },
    end: { type: 'string', value: 'TIME', meaning: 'end of the range, not included; now without it' },
    limit: { type: 'string', value: 'N', meaning: 'rows at most, up to 500000; 5000 without it' },
    all: { type: 'boolean', meaning: 'all rows, up to 500000' },
    csv: { type: 'boolean', meaning: 'comma-separated values instead of a table' },
    explain: { type: 'boolean', meaning: 'show the statement and the plan of the engine instead of rows' },
    account: { type: 'string', value: 'NAME', meaning: 'account to read, instead of the first one' },
    ...keyOptions,
  },
  summary: 'Runs a query of the query language and shows its rows; docs/lql.md teaches it.',
  async run(given) {
    const text = textOf(given);
    const limit = rowLimitOf(given.options);
    const request = requestOf(given.options, limit);
    if (given.options.explain) return explained(given, { ...request, queryText: text });
    const client = clientOf(given);
    try {
      const checked = await client.post('/api/v2/Queries/validate', { queryText: text });
      const { data } = JSON.parse(accepted(checked, text)) as { data: Validated };
      if (data.warnings.length > 0) process.stderr.write(`${withPlaces(data.warnings.join('\n'), text)}\n`);
      const answer = await client.post('/api/v2/Queries/execute', { query: { queryText: text }, ...request });
      const received = readRows(accepted(answer, text));
      if (!received) throw new UsageError('The answer of the server broke off: run the query again.');
      const names = data.resultSchema.map(({ name }) => name);
      const rows = received.slice(0, limit);
      if (received.length > limit || received.length === mostRows) process.stderr.write(`${noteOf(limit)}\n`);
      return {
        data: rows,
        json: jsonOf(rows),
        text: given.options.csv ? csvOf(names, rows) : tableOf(names, rows),
      };
    } finally {
      client.close();
    }
  },
};

interface Validated {
  readonly resultSchema: readonly { readonly name: string }[];
  readonly warnings: readonly string[];
}

function textOf({ positionals: [text], options: { file } }: Given): string {
  if ((text === undefined) === (file === undefined))
    throw new UsageError('Give the text of the query, or --file with the name of a file that holds it.');
  if (text !== undefined) return text;
  try {
    return readFileSync(file === '-' ? 0 : String(file), 'utf8');
  } catch (error) {
    throw new UsageError(`${file} can not be read: ${(error as Error).message}.`);
  }
}

/** What the server answers at most. */
const mostRows = 500_000;
const usualRows = 5_000;

function rowLimitOf({ limit, all }: OptionValues): number {
  if (limit !== undefined && all) throw new UsageError('Give --limit or --all, not both.');
  return wholeNumber('limit', limit, 1, mostRows) ?? (all ? mostRows : usualRows);
}

function noteOf(limit: number): string {
  const shown = `Stopped at ${limit} rows; there ${limit === mostRows ? 'may be' : 'are'} more.`;
  return limit === mostRows
    ? `${shown} Narrow the range with --start and --end.`
    : `${shown} Use --all for all rows.`;
}

/** One row more than is shown tells whether there are more. */
function requestOf({ start, end }: OptionValues, limit: number) {
  const now = Date.now();
  const instants = { StartTimeRange: ['start', start], EndTimeRange: ['end', end] } as const;
  const given = Object.entries(instants).flatMap(([name, [option, text]]) => {
    const value = readTimestamp(option, text as string | undefined, now);
    return value ? [{ name, value }] : [];
  });
  return { arguments: given, options: { limit: Math.min(limit + 1, mostRows) } };
}

/** The text of an answer that is no complaint. */
function accepted(answer: Answer, query: string): string {
  if (answer.status === 200) return answer.text;
  throw new UsageError(withPlaces(messageOf(answer), query));
}

/** Only the machine's operator may see it: it tells how the files of all accounts lie. */
async function explained({ options, desk }: Given, request: { queryText: string }): Promise<Report> {
  const body = Readable.from([JSON.stringify({ ...request, account: options.account })]);
  const answer = await askServer(desk, 'POST', '/query/explain', body).catch((error: Error) => {
    throw error instanceof UsageError ? new UsageError(withPlaces(error.message, request.queryText)) : error;
  });
  const { sql, parameters, plan } = (await readJson(answer)) as ExplainedQuery;
  const bound = parameters.map((value, at) => `$${at + 1} = ${value}`);
  return {
    data: { sql, parameters, plan },
    text: [sql, ...bound, '', plan.trimEnd()].join('\n'),
  };
}

export const queryCommands = [query];
