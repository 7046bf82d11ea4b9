import { Type } from 'typebox';
import { Refusal } from '../platform/errors.ts';
import { Validator } from '../platform/validator.ts';
import type { IntegrationData, IntegrationType } from './declaration.ts';

const validators = new WeakMap<IntegrationType, { data: Validator; props: Validator | undefined }>();

/** Checks `data` against the form of its type, naming the member from the top (`data.credentials.clientId`). */
export function checkData(type: IntegrationType, data: IntegrationData): IntegrationData {
  const said = withoutNulls(data);
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
