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

interface Asked extends ScopeDeps {
  readonly scope: Scope;
  readonly alert: AlertRow;
  readonly signal: AbortSignal;
}

interface AlertScope<Shown extends TSchema = TSchema> {
  readonly form: Shown;
  show(asked: Asked): Promise<Static<Shown>>;
}

const text = (maxLength: number, description: string) => Type.String({ maxLength, description });
const free = Type.Record(Type.String({ maxLength: 200 }), Type.Unknown());

const InvestigationRecord = Type.Object({
  question: text(500, 'What an analyst asks about this kind of alert.'),
  answer: text(1_000, 'Yes, No, or what was found.'),
});

const RelatedRecord = Type.Object({
  eventId: text(20, 'Number of the other alert, as a text.'),
  eventName: text(1_000, 'What it is called.'),
  eventType: text(200, 'What kind of alert it is.'),
  severity: text(20, 'Critical, High, Medium, Low or Info.'),
  rank: Type.Integer({ description: 'The more they have in common the higher.' }),
  eventInfo: Type.Object(
    {
      subject: text(20_000, 'What happened, in short.'),
      description: text(100_000, 'What happened.'),
    },
    { description: 'What people are told.' },
  ),
  startTime: text(30, 'When it was raised.'),
  endTime: text(30, 'When the last violation joined it.'),
});

/** What can be asked about an alert. */
export const alertScopes = {
  Details: scope(AlertDetails, async ({ alert }) => alertDetails(alert)),
  Investigation: scope(list(InvestigationRecord), ({ clock, ...asked }) =>
    investigate({ ...asked, now: clock.now() }),
  ),
  Events: scope(list(free), ({ telemetry, alert, signal }) => evidenceOf(telemetry, alert, signal)),
  RelatedAlerts: scope(list(RelatedRecord), async ({ store, alert }) =>
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
  Integrations: scope(list(AlertIntegration), ({ store, alert }) =>
    integrationsOf(store.read, alert.owner_id, alert.id),
  ),
  Timeline: scope(list(TimelineRecord), async ({ store, alert }) => {
    const rows = await store.read
      .selectFrom('alert_entries')
      .selectAll()
      .where('owner_id', '=', alert.owner_id)
      .where('alert_id', '=', alert.id)
      .orderBy('id')
      .execute();
    return rows.map(timelineRecord);
  }),
  // Only alerts of the category Composite have observations, and nothing makes such alerts yet.
  ObservationTimeline: scope(list(free), async () => []),
} as const satisfies Record<string, AlertScope>;

export type AlertScopeName = keyof typeof alertScopes;

export const scopeNames = Object.keys(alertScopes) as [AlertScopeName, ...AlertScopeName[]];

function infoOf({ alert_info }: AlertRow) {
  const { subject, description } = JSON.parse(alert_info) as { subject: string; description: string };
  return { subject, description };
}

function scope<Shown extends TSchema>(form: Shown, show: AlertScope<Shown>['show']): AlertScope<Shown> {
  return { form, show };
}

function list<Item extends TSchema>(item: Item) {
  return Type.Array(item, { description: 'Empty when there is nothing to show.' });
}
