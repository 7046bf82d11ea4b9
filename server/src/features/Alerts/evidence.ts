import type { AlertRow } from '../../alerts/alerts.ts';
import { withTextForLargeIntegers } from '../../platform/large-integers.ts';
import { arrayText } from '../../search/page.ts';
import { events } from '../../telemetry/datasets/Events.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';

type Members = Readonly<Record<string, unknown>>;

const hour = 3_600_000;

/** The evidence of an alert: what is known of the source of each event, in the form that clients show. */
export async function evidenceOf(
  telemetry: Telemetry,
  { owner_id, id, window_start }: AlertRow,
  signal: AbortSignal,
): Promise<Members[]> {
  const question = {
    range: { start: window_start, end: window_start + hour },
    filters: [{ field: 'id', expression: 'eq', value: id }],
    returns: ['srcEvent'],
  };
  const page = await telemetry.search(events, owner_id, question, signal);
  const records = withTextForLargeIntegers(arrayText(page));
  return (JSON.parse(records) as { srcEvent?: unknown }[]).map(({ srcEvent }) => shownSource(srcEvent));
}

/** What clients know under another spelling. */
const renamed: Readonly<Record<string, string>> = {
  sourceIPAddress: 'sourceIpAddress',
  additionalEventData: 'additionalEventInfo',
};

/** Members of calls in AWS that clients know as JSON in a string; whatever else has members is an object. */
const stringified: ReadonlySet<string> = new Set(['userIdentity', 'additionalEventInfo']);

/** A call in AWS always has the member that clients look for. */
export function shownSource(source: unknown): Members {
  if (typeof source !== 'object' || source === null || Array.isArray(source)) return {};
  const isCall = 'awsRegion' in source;
  const entries = Object.entries(source).map(([name, value]): [string, unknown] => {
    const shown = renamed[name] ?? name;
    const isString = name === 'mfa' || (isCall && stringified.has(shown));
    return [shown, isString ? stringOf(value) : value];
  });
  return { ...(isCall && { additionalEventInfo: '{}' }), ...Object.fromEntries(entries) };
}

function stringOf(value: unknown): unknown {
  if (value === null || typeof value === 'string') return value;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
