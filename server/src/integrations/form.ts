import { Type } from 'typebox';
import { Refusal } from '../platform/errors.ts';
import { printable } from '../platform/quoted.ts';
import { Validator } from '../platform/validator.ts';
import type { IntegrationData, IntegrationType } from './declaration.ts';
import { markedMembers, readMember, writeMember } from './marked-members.ts';
import { fileMark } from './members.ts';

/** Many times what clients send: lists of names and keys of service accounts are the longest. */
export const maxSettingsLength = 128 * 1024;

const validators = new WeakMap<IntegrationType, { data: Validator; props: Validator | undefined }>();

/** Checks `data` against the form of its type, naming the member from the top (`data.credentials.clientId`). */
export function checkData(type: IntegrationType, data: IntegrationData): IntegrationData {
  const said = withoutNulls(data);
  checkLength('data', withoutFiles(type, said));
  validatorsOf(type).data.check({ data: said });
  const complaint = type.check?.(said);
  if (complaint) throw new Refusal('INVALID_INPUT', complaint);
  return type.complete?.(said) ?? said;
}

export function checkProps(type: IntegrationType, props: IntegrationData): IntegrationData {
  const said = withoutNulls(props);
  validatorsOf(type).props?.check({ props: said });
  return said;
}

/** Refuses settings that are longer than any client writes: members that no form declares are kept, too. */
export function checkLength(name: 'data' | 'props', settings: IntegrationData): void {
  const members = Object.entries(settings).map(([member, value]) => ({
    member,
    length: member.length + (JSON.stringify(value) ?? '').length,
  }));
  const length = members.reduce((sum, one) => sum + one.length, 0);
  if (length <= maxSettingsLength) return;
  const [longest] = members.sort((one, other) => other.length - one.length);
  throw new Refusal(
    'INVALID_INPUT',
    `${name} must have at most ${maxSettingsLength} characters as JSON, not ${length}: shorten ${name}.${printable(longest?.member ?? '')}.`,
  );
}

function withoutFiles({ data: form }: IntegrationType, data: IntegrationData): IntegrationData {
  const files = markedMembers<true>(form, fileMark).filter(
    ({ path }) => typeof readMember(data, path) === 'string',
  );
  return files.reduce((rest, { path }) => writeMember(rest, path, ''), data);
}

/** Clients write null where they have nothing to say, at any depth. */
function withoutNulls(members: IntegrationData): IntegrationData {
  const said = Object.entries(members).filter(([, value]) => value !== null);
  return Object.fromEntries(
    said.map(([name, value]) => [name, isObject(value) ? withoutNulls(value) : value]),
  );
}

function isObject(value: unknown): value is IntegrationData {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function validatorsOf(type: IntegrationType) {
  const known = validators.get(type);
  if (known) return known;
  const made = {
    data: new Validator(Type.Object({ data: type.data }), 'body'),
    props: type.props && new Validator(Type.Object({ props: type.props }), 'body'),
  };
  validators.set(type, made);
  return made;
}
