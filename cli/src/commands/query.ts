import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import type { QueryPlan } from '@vedette/server/operator/explain';
import { type ApiResponse, errorMessage } from '../api/api-client.ts';
import { clientOf, keyOptions } from '../api/key-client.ts';
import type { Command, Invocation, OptionValues, Report } from '../command.ts';
import { integerOption } from '../integer-option.ts';
import { operatorRequest, readJson } from '../operator-client.ts';
import { withSourceLines } from '../querying/error-context.ts';
import { csvOf, jsonOf, tableOf } from '../querying/format.ts';
import { readRows } from '../querying/rows.ts';
import { readTimestamp } from '../querying/timestamp.ts';
import { UsageError } from '../usage-error.ts';

const query: Command = {
  words: ['query'],
  positionals: ['[TEXT]'],
  options: {
    file: {
      type: 'string',
      value: 'FILE',
      description: 'file with the query; - reads standard input',
    },
    start: {
      type: 'string',
      value: 'TIME',
      description:
        'start of the time range, or an age such as -7d (s, m, h, d, w); default: one day before the end',
    },
    end: { type: 'string', value: 'TIME', description: 'end of the time range, exclusive; default: now' },
    limit: { type: 'string', value: 'N', description: 'maximum number of rows, up to 500000; default: 5000' },
    all: { type: 'boolean', description: 'all rows, up to 500000' },
    csv: { type: 'boolean', description: 'comma-separated values instead of a table' },
    explain: { type: 'boolean', description: 'print the SQL statement and the query plan instead of rows' },
    account: { type: 'string', value: 'NAME', description: 'account to query; default: the first one' },
    ...keyOptions,
  },
  summary: 'Runs an LQL query and prints its rows; see docs/lql.md.',
  async run(invocation) {
    const queryText = queryTextOf(invocation);
    const limit = rowLimitOf(invocation.options);
    const request = requestOf(invocation.options, limit);
    if (invocation.options.explain) return explained(invocation, { ...request, queryText });
    const client = clientOf(invocation);
    try {
      const checked = await client.post('/api/v2/Queries/validate', { queryText });
      const { data } = JSON.parse(accepted(checked, queryText)) as { data: Validated };
      if (data.warnings.length > 0)
        process.stderr.write(`${withSourceLines(data.warnings.join('\n'), queryText)}\n`);
      const response = await client.post('/api/v2/Queries/execute', {
        query: { queryText },
        ...request,
      });
      const received = readRows(accepted(response, queryText));
      if (!received) throw new UsageError('The response of the server is incomplete: run the query again.');
      const names = data.resultSchema.map(({ name }) => name);
      const rows = received.slice(0, limit);
      if (received.length > limit || received.length === maxRows)
        process.stderr.write(`${truncationNotice(limit)}\n`);
      return {
        data: rows,
        json: jsonOf(rows),
        text: invocation.options.csv ? csvOf(names, rows) : tableOf(names, rows),
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

function queryTextOf({ positionals: [argument], options: { file } }: Invocation): string {
  if ((argument === undefined) === (file === undefined))
    throw new UsageError('Pass the query as an argument, or a file that contains it with --file.');
  if (argument !== undefined) return argument;
  try {
    return readFileSync(file === '-' ? 0 : String(file), 'utf8');
  } catch (error) {
    throw new UsageError(`${file} can not be read: ${(error as Error).message}.`);
  }
}

/** Limit of the server. */
const maxRows = 500_000;
const defaultRows = 5_000;

function rowLimitOf({ limit, all }: OptionValues): number {
  if (limit !== undefined && all) throw new UsageError('Pass --limit or --all, not both.');
  return integerOption('limit', limit, 1, maxRows) ?? (all ? maxRows : defaultRows);
}

function truncationNotice(limit: number): string {
  const shown = `Stopped at ${limit} rows; there ${limit === maxRows ? 'may be' : 'are'} more.`;
  return limit === maxRows
    ? `${shown} Narrow the range with --start and --end.`
    : `${shown} Use --all for all rows.`;
}

/** Requests one row more than is printed, to know whether there are more. */
function requestOf({ start, end }: OptionValues, limit: number) {
  const now = Date.now();
  const instants = { StartTimeRange: ['start', start], EndTimeRange: ['end', end] } as const;
  const queryArguments = Object.entries(instants).flatMap(([name, [option, argument]]) => {
    const value = readTimestamp(option, argument as string | undefined, now);
    return value ? [{ name, value }] : [];
  });
  return { arguments: queryArguments, options: { limit: Math.min(limit + 1, maxRows) } };
}

function accepted(response: ApiResponse, query: string): string {
  if (response.status === 200) return response.body;
  throw new UsageError(withSourceLines(errorMessage(response), query));
}

/** Uses the operator socket: the plan shows the file layout, which all accounts share. */
async function explained({ options, context }: Invocation, request: { queryText: string }): Promise<Report> {
  const body = Readable.from([JSON.stringify({ ...request, account: options.account })]);
  const response = await operatorRequest(context, 'POST', '/query/explain', body).catch((error: Error) => {
    throw error instanceof UsageError
      ? new UsageError(withSourceLines(error.message, request.queryText))
      : error;
  });
  const { sql, parameters, plan } = (await readJson(response)) as QueryPlan;
  const bound = parameters.map((value, at) => `$${at + 1} = ${value}`);
  return {
    data: { sql, parameters, plan },
    text: [sql, ...bound, '', plan.trimEnd()].join('\n'),
  };
}

export const queryCommands = [query];
