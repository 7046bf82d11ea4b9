import { type Static, type TSchema, Type } from 'typebox';
import type { AlertRow } from '../../alerts/alerts.ts';
import { AlertDetails, alertDetails } from '../../alerts/record.ts';
import { relatedTo } from '../../alerts/related.ts';
import { TimelineRecord, timelineRecord } from '../../alerts/timeline-record.ts';
import type { ControlStore } from '../../control/store.ts';
import type { Scope } from '../../identity/scope.ts';
import type { Clock } from '../../platform/clock.ts';
import { formatInstant } from '../../platform/instant.ts';
import type { QueryLanguage } from '../../querying/language.ts';
import type { QueryRunner } from '../../querying/runner.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import { evidenceOf } from './evidence.ts';
import { AlertIntegration, integrationsOf } from './integrations.ts';
import { investigate } from './investigation.ts';

export interface ScopeDeps {
  readonly store: ControlStore;
  readonly clock: Clock;
  readonly language: QueryLanguage;
  readonly runner: QueryRunner;
  readonly telemetry: Telemetry;
}

interface ScopeContext extends ScopeDeps {
  readonly scope: Scope;
  readonly alert: AlertRow;
  readonly signal: AbortSignal;
}

interface AlertScope<Data extends TSchema = TSchema> {
  readonly schema: Data;
  show(context: ScopeContext): Promise<Static<Data>>;
}

const string = (maxLength: number, description: string) => Type.String({ maxLength, description });
const anyObject = Type.Record(Type.String({ maxLength: 200 }), Type.Unknown());

const InvestigationRecord = Type.Object({
  question: string(500, 'A triage question about this kind of alert.'),
  answer: string(1_000, 'Yes, No, or the finding.'),
});

const RelatedRecord = Type.Object({
  eventId: string(20, 'Identifier of the related alert, as a string.'),
  eventName: string(1_000, 'Name of the alert.'),
  eventType: string(200, 'Type of the alert.'),
  severity: string(20, 'Critical, High, Medium, Low or Info.'),
  rank: Type.Integer({ description: 'Degree of similarity; higher is more similar.' }),
  eventInfo: Type.Object(
    {
      subject: string(20_000, 'Summary of the alert.'),
      description: string(100_000, 'Description of the alert.'),
    },
    { description: 'Subject and description of the alert.' },
  ),
  startTime: string(30, 'Time at which the alert was raised.'),
  endTime: string(30, 'Time at which the last violation was added.'),
});

/** The values of the query parameter `scope`, each with its schema and handler. */
export const alertScopes = {
  Details: scope(AlertDetails, async ({ alert }) => alertDetails(alert)),
  Investigation: scope(arrayOf(InvestigationRecord), ({ clock, ...context }) =>
    investigate({ ...context, now: clock.now() }),
  ),
  Events: scope(arrayOf(anyObject), ({ telemetry, alert, signal }) => evidenceOf(telemetry, alert, signal)),
  RelatedAlerts: scope(arrayOf(RelatedRecord), async ({ store, alert }) =>
    (await relatedTo(store.read, alert)).map(({ alert: other, rank }) => ({
      eventId: String(other.id),
      eventName: other.alert_name,
      eventType: other.alert_type,
      severity: other.severity,
      rank,
      eventInfo: infoOf(other),
      startTime: formatInstant(other.start_at),
      endTime: formatInstant(other.end_at),
    })),
  ),
  Integrations: scope(arrayOf(AlertIntegration), ({ store, alert }) =>
    integrationsOf(store.read, alert.owner_id, alert.id),
  ),
  Timeline: scope(arrayOf(TimelineRecord), async ({ store, alert }) => {
    const rows = await store.read
      .selectFrom('alert_entries')
      .selectAll()
      .where('owner_id', '=', alert.owner_id)
      .where('alert_id', '=', alert.id)
      .orderBy('id')
      .execute();
    return rows.map(timelineRecord);
  }),
  // Only alerts of the category Composite have observations, and no such alerts are raised yet.
  ObservationTimeline: scope(arrayOf(anyObject), async () => []),
} as const satisfies Record<string, AlertScope>;

export type AlertScopeName = keyof typeof alertScopes;

export const scopeNames = Object.keys(alertScopes) as [AlertScopeName, ...AlertScopeName[]];

function infoOf({ alert_info }: AlertRow) {
  const { subject, description } = JSON.parse(alert_info) as { subject: string; description: string };
  return { subject, description };
}

function scope<Data extends TSchema>(schema: Data, show: AlertScope<Data>['show']): AlertScope<Data> {
  return { schema, show };
}

function arrayOf<Item extends TSchema>(item: Item) {
  return Type.Array(item, { description: 'Empty if there is nothing to return.' });
}
