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
  abandoned: AbortSignal,
): Promise<Members[]> {
  const question = {
    range: { start: window_start, end: window_start + hour },
    filters: [{ field: 'id', expression: 'eq', value: id }],
    returns: ['srcEvent'],
  };
  const page = await telemetry.search(events, owner_id, question, abandoned);
  const records = withTextForLargeIntegers(arrayText(page));
  return (JSON.parse(records) as { srcEvent?: unknown }[]).map(({ srcEvent }) => shownSource(srcEvent));
}

/** What clients know under another spelling. */
const renamed: Readonly<Record<string, string>> = {
  sourceIPAddress: 'sourceIpAddress',
  additionalEventData: 'additionalEventInfo',
};

/** Clients print texts: what has members is JSON in a text. A call in AWS always has the member that they look for. */
export function shownSource(source: unknown): Members {
  if (typeof source !== 'object' || source === null || Array.isArray(source)) return {};
  const entries = Object.entries(source).map(([name, value]): [string, unknown] => {
    const isNested = typeof value === 'object' && value !== null;
    return [renamed[name] ?? name, isNested ? JSON.stringify(value) : name === 'mfa' ? String(value) : value];
  });
  return { ...('awsRegion' in source && { additionalEventInfo: '{}' }), ...Object.fromEntries(entries) };
}
