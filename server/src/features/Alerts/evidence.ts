import type { AlertRow } from '../../alerts/alerts.ts';
import { withLargeIntegersAsStrings } from '../../platform/large-integers.ts';
import { jsonArray } from '../../search/page.ts';
import { events } from '../../telemetry/datasets/Events.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';

type Members = Readonly<Record<string, unknown>>;

const hour = 3_600_000;

/** The evidence of an alert: the source of each of its events, in the format that clients display. */
export async function evidenceOf(
  telemetry: Telemetry,
  { owner_id, id, window_start }: AlertRow,
  signal: AbortSignal,
): Promise<Members[]> {
  const request = {
    range: { start: window_start, end: window_start + hour },
    filters: [{ field: 'id', expression: 'eq', value: id }],
    returns: ['srcEvent'],
  };
  const page = await telemetry.search(events, owner_id, request, signal);
  const records = withLargeIntegersAsStrings(jsonArray(page));
  return (JSON.parse(records) as { srcEvent?: unknown }[]).map(({ srcEvent }) => displayedSource(srcEvent));
}

/** Members that clients spell differently. */
const renamed: Readonly<Record<string, string>> = {
  sourceIPAddress: 'sourceIpAddress',
  additionalEventData: 'additionalEventInfo',
};

/** Members of AWS API calls that clients expect as JSON strings; other structured members stay objects. */
const stringified: ReadonlySet<string> = new Set(['userIdentity', 'additionalEventInfo']);

/** AWS API calls always have `additionalEventInfo`, which clients require. */
export function displayedSource(source: unknown): Members {
  if (typeof source !== 'object' || source === null || Array.isArray(source)) return {};
  const isCall = 'awsRegion' in source;
  const entries = Object.entries(source).map(([name, value]): [string, unknown] => {
    const displayed = renamed[name] ?? name;
    const isString = name === 'mfa' || (isCall && stringified.has(displayed));
    return [displayed, isString ? stringOf(value) : value];
  });
  return { ...(isCall && { additionalEventInfo: '{}' }), ...Object.fromEntries(entries) };
}

function stringOf(value: unknown): unknown {
  if (value === null || typeof value === 'string') return value;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
