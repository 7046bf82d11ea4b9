import { accountResource, distinctResources } from '../../alerts/matching-rules.ts';
import { RuleGroups } from '../../alerts/rule-groups.ts';
import type { ControlStore } from '../../control/store.ts';
import type { Tables } from '../../control/tables.ts';
import type { GroupedResource } from '../../groups/resource.ts';
import { LoopSlice } from '../../platform/loop-slice.ts';
import { type Severity, severities, severityNames } from '../../rules/severities.ts';
import { counted, dayText, timeText } from '../compliance/wording.ts';
import type { ComposedReport } from './composed-report.ts';
import type { ReportContent, ReportMessage } from './report-message.ts';

type Alert = Pick<Tables['alerts'], 'id' | 'alert_name' | 'severity' | 'status' | 'start_at' | 'violations'>;
type Row = Alert & Pick<Tables['alerts'], 'derived_fields' | 'entity_map'>;

const batchSize = 200;
/** Alerts that an e-mail lists; the rest is counted. */
const maxListed = 100;

/** The alerts of a period. */
export async function alertDigest(
  { read }: Pick<ControlStore, 'read'>,
  { ownerId, account, start, end }: ReportMessage,
  { alerts, severities: wanted, groups: filter }: Extract<ReportContent, { kind: 'alerts' }>,
): Promise<ComposedReport> {
  const counts = new Map<string, number>();
  let listed: Alert[] = [];
  const names = wanted.flatMap((number) => severityNames[number as keyof typeof severityNames] ?? []);
  const groups = await RuleGroups.read(read, filter);
  const slice = new LoopSlice();
  for await (const row of alertsOf(read, ownerId, { start, end, names })) {
    if (slice.isOver) await slice.next();
    if (!isSelected(row, alerts) || !(await groups.contain(() => groupedResources(row, account)))) continue;
    counts.set(row.severity, (counts.get(row.severity) ?? 0) + 1);
    listed.push(row);
    if (listed.length >= 10 * maxListed) listed = mostSevere(listed);
  }
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const when =
    end - start > 86_400_000 ? `from ${dayText(start)} to ${dayText(end - 1)}` : `on ${dayText(start)}`;
  const subject = `${alerts.title} ${when}: ${total === 0 ? 'none' : counted(total, 'alert')}`;
  if (total === 0) return { subject, paragraphs: [`No alerts ${when} in ${account}.`], release: () => {} };
  const shown = mostSevere(listed);
  const summary = severities.flatMap((severity) => {
    const count = counts.get(severity);
    return count ? [`${count} ${severity}`] : [];
  });
  return {
    subject,
    paragraphs: [
      `${counted(total, 'alert')} ${when} in ${account}: ${summary.join(', ')}.`,
      ...(total > shown.length ? [`The ${shown.length} most severe are listed.`] : []),
    ],
    table: {
      head: ['Severity', 'Alert', 'Raised', 'Status', 'Violations', 'Id'],
      rows: shown.map(({ id, alert_name, severity, status, start_at, violations }) => [
        ...[severity, alert_name, timeText(start_at), status, `${violations}`, `${id}`],
      ]),
    },
    release: () => {},
  };
}

function mostSevere(alerts: readonly Alert[]): Alert[] {
  const rank = ({ severity }: Alert) => severities.indexOf(severity as Severity);
  return [...alerts]
    .sort((one, other) => rank(one) - rank(other) || one.start_at - other.start_at || one.id - other.id)
    .slice(0, maxListed);
}

async function* alertsOf(
  db: ControlStore['read'],
  ownerId: string,
  {
    start,
    end,
    names,
  }: { readonly start: number; readonly end: number; readonly names: readonly Severity[] },
): AsyncGenerator<Row> {
  for (let last = { start_at: start, id: 0 }; ; ) {
    const rows = await db
      .selectFrom('alerts')
      .select([
        'id',
        'alert_name',
        'severity',
        'status',
        'start_at',
        'violations',
        'derived_fields',
        'entity_map',
      ])
      .where('owner_id', '=', ownerId)
      .where('start_at', '<', end)
      .where(({ eb, or, and }) =>
        or([
          eb('start_at', '>', last.start_at),
          and([eb('start_at', '=', last.start_at), eb('id', '>', last.id)]),
        ]),
      )
      .$if(names.length > 0, (query) => query.where('severity', 'in', names))
      .orderBy('start_at')
      .orderBy('id')
      .limit(batchSize)
      .execute();
    yield* rows;
    const final = rows.at(-1);
    if (!final || rows.length < batchSize) return;
    last = final;
  }
}

function isSelected(
  { derived_fields }: Row,
  { source, subCategory }: Extract<ReportContent, { kind: 'alerts' }>['alerts'],
): boolean {
  const fields = JSON.parse(derived_fields) as { readonly source?: string; readonly sub_category?: string };
  return (
    (source === undefined || fields.source === source) &&
    (subCategory === undefined || fields.sub_category === subCategory)
  );
}

/** What the alert is about, for the groups of a rule. */
function groupedResources({ entity_map }: Row, account: string): GroupedResource[] {
  const map = JSON.parse(entity_map) as Record<string, readonly { KEY?: object; PROPS?: object }[]>;
  const violations = Object.entries(map).flatMap(([kind, entities]) =>
    entities.map(({ KEY = {}, PROPS = {} }) => ({
      ...{ key: '', name: '', row: {} },
      entities: [{ kind, key: { ...KEY }, props: { ...PROPS } }],
    })),
  );
  return [...distinctResources(violations), accountResource(account)];
}
