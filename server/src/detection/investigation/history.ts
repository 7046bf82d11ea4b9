import { isIPv4, isIPv6 } from 'node:net';
import type { QueryLanguage } from '../../querying/language.ts';
import type { QueryRunner } from '../../querying/runner.ts';
import { enumerate, inline } from '../summary/phrase.ts';

export interface HistoryDeps {
  readonly language: QueryLanguage;
  readonly runner: QueryRunner;
  readonly account: string;
  /** Time of the first event of the alert. */
  readonly at: number;
  readonly signal: AbortSignal;
}

/** A host id, which may exceed the safe integers of JavaScript. */
export interface HostId {
  readonly hostId: string;
}

/** Rows to search: a datasource and the values of its columns or paths. */
export interface RowFilter {
  readonly source: string;
  readonly where: Readonly<Record<string, string | HostId>>;
  /** Columns that must have another value. */
  readonly except?: Readonly<Record<string, string | HostId>>;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** Datasources with hourly records: a record of the event's own hour may be the event itself. */
const hourly = /^LW_HE_|^LW_HA_FILE_CHANGES$/;
/** Excludes events of the same request, which are recorded shortly before. */
const margin = minute;
const maxValues = 500;

/** Searches the telemetry of the 30 days before an alert. */
export class History {
  readonly #deps: HistoryDeps;

  constructor(deps: HistoryDeps) {
    this.#deps = deps;
  }

  async hasSeen(wanted: RowFilter): Promise<boolean> {
    return (await this.#values(wanted, '1', 30 * day, 1)).length > 0;
  }

  /** The distinct values of a column, bounded. */
  values(wanted: RowFilter, column: string, span = 30 * day): Promise<string[]> {
    return this.#values(wanted, column, span, maxValues);
  }

  async #values(filter: RowFilter, column: string, span: number, limit: number): Promise<string[]> {
    const { language, runner, account, at, signal } = this.#deps;
    const { source, where, except = {} } = filter;
    const conditions = [
      ...Object.entries(where).map(([name, value]) => `${name} = ${literal(value)}`),
      ...Object.entries(except).map(([name, value]) => `${name} <> ${literal(value)}`),
    ];
    const read = language.read(`{ source { ${source} } filter { ${conditions.join(' and ')} }
      return distinct { ${column}::String as FOUND } }`);
    const end = hourly.test(source) ? at - (at % hour) : at - margin;
    const range = { start: end - span, end };
    const chunks: Uint8Array[] = [];
    for await (const chunk of runner.run(read, { account, range, limit }, signal)) chunks.push(chunk);
    const rows = JSON.parse(`[${Buffer.concat(chunks).toString()}]`) as { FOUND: string | null }[];
    return rows.flatMap(({ FOUND }) => (FOUND === null ? [] : [FOUND]));
  }
}

function literal(value: string | HostId): string {
  return typeof value === 'string' ? `s'${value.replaceAll("'", "''")}'` : value.hostId;
}

export function yesNo(is: boolean): string {
  return is ? 'Yes' : 'No';
}

/** Groups addresses by network: /24 for IPv4, /64 for IPv6; host names are unchanged. */
export function networks(addresses: readonly string[]): string {
  const all = [...new Set(addresses.map(networkOf))].filter((network) => network !== '').sort();
  return all.length === 0 ? 'None: nothing was seen in that time' : enumerate(all, 10);
}

function networkOf(address: string): string {
  if (isIPv4(address)) return address.replace(/\.\d+$/, '.0/24');
  if (!isIPv6(address)) return inline(address);
  const { hostname } = new URL(`http://[${address.replace(/%.*$/, '')}]`);
  const [left = '', right] = hostname.slice(1, -1).split('::');
  const [head, tail] = [left, right ?? ''].map((part) => (part === '' ? [] : part.split(':')));
  const zeros = Array.from({ length: 8 - (head?.length ?? 0) - (tail?.length ?? 0) }, () => '0');
  const groups = [...(head ?? []), ...(right === undefined ? [] : zeros), ...(tail ?? [])];
  return `${groups.slice(0, 4).join(':')}::/64`;
}
