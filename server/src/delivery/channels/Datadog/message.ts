import type { AlertMessage, Severity } from '../../../alerts/alert-message.ts';
import type { DataOf } from '../../../integrations/declaration.ts';
import { alertKey } from '../../alert-key.ts';
import { truncate } from '../../bounded-string.ts';
import { condensed, withinJsonBytes } from '../../condensed.ts';
import { plainText } from '../../plain-text.ts';
import { headline } from '../../wording.ts';
import type declaration from './type.ts';

type Data = DataOf<typeof declaration>;
type Form = NonNullable<Data['datadogType']>;

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

const forms: Readonly<Record<Form, (message: AlertMessage) => unknown>> = {
  'Logs Detail': (message) => [log(message, (told) => told)],
  'Logs Summary': (message) => [log(message, summary)],
  'Events Summary': event,
};

export function formOf({ datadogType }: Data): Form {
  return datadogType ?? 'Logs Detail';
}

/** Without a start time: Datadog rejects events older than 18 hours, and a resent message may be older. */
export default function datadogBody(message: AlertMessage, data: Data): unknown {
  return forms[formOf(data)](message);
}

function log(message: AlertMessage, tell: (message: AlertMessage) => object) {
  const make = (told: AlertMessage) => ({
    ddsource: 'vedette',
    service: 'vedette',
    ddtags: tagsOf(told).join(','),
    status: told.occasion === 'test' ? 'info' : statuses[told.severity],
    message: `[${told.severity}] ${headline(told)}`,
    alert: tell(told),
  });
  return condensed(message, make, withinJsonBytes(logLimit));
}

/** Key fields without the text, and entity counts per kind. */
function summary({
  subject: _subject,
  description: _description,
  entities,
  newEntities,
  ...told
}: AlertMessage) {
  const counts = (all: typeof entities) => all.map(({ kind, total }) => ({ kind, total }));
  return {
    ...told,
    entities: counts(entities),
    ...(newEntities && { newEntities: counts(newEntities) }),
  };
}

function event(message: AlertMessage) {
  const { severity } = message;
  const isTest = message.occasion === 'test';
  const text = condensed(
    message,
    (told) => withoutMentions(plainText(told)),
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
