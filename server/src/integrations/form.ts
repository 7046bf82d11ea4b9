import { Type } from 'typebox';
import { Refusal } from '../platform/errors.ts';
import { printable } from '../platform/quoted.ts';
import { Validator } from '../platform/validator.ts';
import type { IntegrationData, IntegrationType } from './declaration.ts';
import { markedMembers, readMember, writeMember } from './marked-members.ts';
import { fileMark } from './members.ts';

/** Far above what clients send; the longest are arrays of names and keys of service accounts. */
export const maxSettingsLength = 128 * 1024;

const validators = new WeakMap<IntegrationType, { data: Validator; props: Validator | undefined }>();

/** Checks `data` against the schema of its type; messages have the full path (`data.credentials.clientId`). */
export function checkData(type: IntegrationType, data: IntegrationData): IntegrationData {
  const given = withoutNulls(data);
  checkLength('data', withoutFiles(type, given));
  validatorsOf(type).data.check({ data: given });
  const problem = type.check?.(given);
  if (problem) throw new Refusal('INVALID_INPUT', problem);
  return type.complete?.(given) ?? given;
}

export function checkProps(type: IntegrationType, props: IntegrationData): IntegrationData {
  const given = withoutNulls(props);
  validatorsOf(type).props?.check({ props: given });
  return given;
}

/** Limits the length of settings, because undeclared members are stored, too. */
export function checkLength(name: 'data' | 'props', settings: IntegrationData): void {
  const members = Object.entries(settings).map(([member, value]) => ({
    member,
    length: member.length + (JSON.stringify(value) ?? '').length,
  }));
  const length = members.reduce((sum, one) => sum + one.length, 0);
  if (length <= maxSettingsLength) return;
  const [largest] = members.sort((one, other) => other.length - one.length);
  throw new Refusal(
    'INVALID_INPUT',
    `${name} must have at most ${maxSettingsLength} characters as JSON, not ${length}: shorten ${name}.${printable(largest?.member ?? '')}.`,
  );
}

function withoutFiles({ data: schema }: IntegrationType, data: IntegrationData): IntegrationData {
  const files = markedMembers<true>(schema, fileMark).filter(
    ({ path }) => typeof readMember(data, path) === 'string',
  );
  return files.reduce((rest, { path }) => writeMember(rest, path, ''), data);
}

/** Clients send null for unset members, at any depth. */
function withoutNulls(members: IntegrationData): IntegrationData {
  const given = Object.entries(members).filter(([, value]) => value !== null);
  return Object.fromEntries(
    given.map(([name, value]) => [name, isObject(value) ? withoutNulls(value) : value]),
  );
}

function isObject(value: unknown): value is IntegrationData {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function validatorsOf(type: IntegrationType) {
  const cached = validators.get(type);
  if (cached) return cached;
  const created = {
    data: new Validator(Type.Object({ data: type.data }), 'body'),
    props: type.props && new Validator(Type.Object({ props: type.props }), 'body'),
  };
  validators.set(type, created);
  return created;
}
