import type { AlertMessage, Severity } from '../../../alerts/alert-message.ts';
import type { DataOf } from '../../../integrations/declaration.ts';
import { alertKey } from '../../alert-key.ts';
import { truncate } from '../../bounded-string.ts';
import { condensed, withinJsonBytes } from '../../condensed.ts';
import { plainText } from '../../plain-text.ts';
import { headline } from '../../wording.ts';
import type declaration from './type.ts';

type Data = DataOf<typeof declaration>;
type Format = NonNullable<Data['datadogType']>;

/** Recommended maximum bytes of a log. */
const logLimit = 25_000;
/** Maximum characters of an event text. */
const textLimit = 4_000;

const statuses: Readonly<Record<Severity, string>> = {
  Critical: 'critical',
  High: 'error',
  Medium: 'warning',
  Low: 'notice',
  Info: 'info',
};

const alertTypes: Readonly<Record<Severity, string>> = {
  Critical: 'error',
  High: 'error',
  Medium: 'warning',
  Low: 'info',
  Info: 'info',
};

const formats: Readonly<Record<Format, (message: AlertMessage) => unknown>> = {
  'Logs Detail': (message) => [log(message, (bounded) => bounded)],
  'Logs Summary': (message) => [log(message, summary)],
  'Events Summary': event,
};

export function formatOf({ datadogType }: Data): Format {
  return datadogType ?? 'Logs Detail';
}

/** Without a start time: Datadog rejects events older than 18 hours, and a resent message may be older. */
export default function datadogBody(message: AlertMessage, data: Data): unknown {
  return formats[formatOf(data)](message);
}

function log(message: AlertMessage, alertOf: (message: AlertMessage) => object) {
  const build = (bounded: AlertMessage) => ({
    ddsource: 'vedette',
    service: 'vedette',
    ddtags: tagsOf(bounded).join(','),
    status: bounded.occasion === 'test' ? 'info' : statuses[bounded.severity],
    message: `[${bounded.severity}] ${headline(bounded)}`,
    alert: alertOf(bounded),
  });
  return condensed(message, build, withinJsonBytes(logLimit));
}

/** Key fields without the text, and entity counts per kind. */
function summary({
  subject: _subject,
  description: _description,
  entities,
  newEntities,
  ...bounded
}: AlertMessage) {
  const counts = (all: typeof entities) => all.map(({ kind, total }) => ({ kind, total }));
  return {
    ...bounded,
    entities: counts(entities),
    ...(newEntities && { newEntities: counts(newEntities) }),
  };
}

function event(message: AlertMessage) {
  const { severity } = message;
  const isTest = message.occasion === 'test';
  const text = condensed(
    message,
    (bounded) => withoutMentions(plainText(bounded)),
    (made) => made.length <= textLimit,
  );
  return {
    title: truncate(`[${severity}] ${headline(message)}`, 100),
    text,
    alert_type: isTest ? 'info' : alertTypes[severity],
    priority: isTest ? 'low' : 'normal',
    aggregation_key: truncate(alertKey(message), 100),
    source_type_name: 'vedette',
    tags: tagsOf(message),
  };
}

function tagsOf({ account, severity, category, policyId, occasion }: AlertMessage): readonly string[] {
  return Object.entries({ account, severity, category, policy: policyId, occasion })
    .filter(([, value]) => value !== '')
    .map(([key, value]) => `${key}:${tagValue(value)}`);
}

/** Replaces characters that tags do not allow. */
function tagValue(value: string): string {
  return value
    .toLowerCase()
    .slice(0, 150)
    .replace(/[^\p{L}\p{N}_\-./]/gu, '_');
}

/** Escapes @ mentions: names of resources must not notify users. */
function withoutMentions(text: string): string {
  return text.replace(/(?<![\w.+-])@/g, '(at)');
}
