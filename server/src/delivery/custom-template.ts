import type { AlertMessage } from '../alerts/alert-message.ts';
import { truncate } from './bounded-string.ts';
import { DeliveryError } from './channel.ts';
import type { Resource } from './issue-grouping.ts';
import { entityLines } from './wording.ts';

type Fields = Readonly<Record<string, unknown>>;

const maxDepth = 20;
const maxLength = 2_000;

/**
 * Custom fields of an issue or incident: the members of `fields` in the template, or all its members. Each `{{name}}`
 * in a string is replaced by that member of the alert. Unknown names are kept, because Jira markup has such braces.
 */
export function templateFields(file: unknown, message: AlertMessage, resource?: Resource): Fields {
  if (typeof file !== 'string') return {};
  const template = parsed(file);
  const { fields } = template;
  const members = {
    ...message,
    entities: entityLines(message).join('\n'),
    resource: resource?.name ?? '',
  };
  const values = new Map(
    Object.entries(members).map(([name, value]) => [name, truncate(String(value), maxLength)] as const),
  );
  return filled(isObject(fields) ? fields : template, values, 0) as Fields;
}

function filled(value: unknown, values: ReadonlyMap<string, string>, depth: number): unknown {
  if (depth > maxDepth) throw unusable();
  if (typeof value === 'string')
    return value.replace(/\{\{\s*(\w+)\s*\}\}/g, (whole, name: string) => values.get(name) ?? whole);
  if (Array.isArray(value)) return value.map((one) => filled(one, values, depth + 1));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, filled(member, values, depth + 1)]),
  );
}

function parsed(file: string): Fields {
  try {
    const template: unknown = JSON.parse(
      Buffer.from(file.slice(file.indexOf(',') + 1), 'base64').toString('utf8'),
    );
    if (isObject(template)) return template;
  } catch {
    throw unusable();
  }
  throw unusable();
}

function unusable(): DeliveryError {
  return new DeliveryError(
    'data.customTemplateFile must be a JSON object with at most 20 levels of nesting.',
    { isFinal: true },
  );
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
