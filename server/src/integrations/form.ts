import { Type } from 'typebox';
import { Refusal } from '../platform/errors.ts';
import { Validator } from '../platform/validator.ts';
import type { IntegrationData, IntegrationType } from './declaration.ts';

const validators = new WeakMap<IntegrationType, { data: Validator; props: Validator | undefined }>();

/** Checks `data` against the form of its type, naming the member from the top (`data.credentials.clientId`). */
export function checkData(type: IntegrationType, data: IntegrationData): IntegrationData {
  validatorsOf(type).data.check({ data });
  const complaint = type.check?.(data);
  if (complaint) throw new Refusal('INVALID_INPUT', complaint);
  return type.complete?.(data) ?? data;
}

export function checkProps(type: IntegrationType, props: IntegrationData): IntegrationData {
  validatorsOf(type).props?.check({ props });
  return props;
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
