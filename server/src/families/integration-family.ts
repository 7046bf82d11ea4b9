import { type TSchema, Type } from 'typebox';
import type { Family } from '../http/family.ts';
import type { IntegrationCatalogue } from '../integrations/catalogue.ts';
import { type IntegrationFamily, type IntegrationType, nameOf } from '../integrations/declaration.ts';
import { IntegrationRecord } from '../integrations/record.ts';
import { omissible } from '../platform/omissible.ts';

const name = Type.String({
  pattern: '\\S',
  minLength: 1,
  maxLength: 500,
  description: 'Name; must not be empty or consist of spaces only.',
});
const enabled = Type.Integer({ minimum: 0, maximum: 1, description: '1: enabled, 0: disabled.' });
const type = Type.String({ minLength: 1, maxLength: 100, description: 'Type of integration.' });
const object = (description: string) =>
  Type.Record(Type.String({ maxLength: 200 }), Type.Unknown(), { description });
const data = object('Settings of the type.');
const props = omissible(object('Further settings of the type.'));

export const IntegrationCreation = Type.Object({ name, type, enabled, data, props });

/** Clients send back what they read: whatever else is in it is ignored, the type too. */
export const IntegrationPatch = Type.Object({
  name: omissible(name),
  enabled: omissible(enabled),
  data: omissible(data),
  props,
});

/** The form of one type with its `data` spelled out, for `/schemas` and the documentation. */
function formOf(declaration: IntegrationType): TSchema {
  return Type.Object(
    {
      name,
      type: Type.Enum([declaration.type] as [string], { description: 'Type of integration.' }),
      enabled,
      data: declaration.data,
      ...(declaration.props && { props: Type.Optional(declaration.props) }),
    },
    { title: nameOf(declaration), description: declaration.description },
  );
}

export function integrationFamily(
  family: IntegrationFamily,
  description: string,
  catalogue: IntegrationCatalogue,
): Family {
  const forms = catalogue
    .of(family)
    .map((declaration) => [nameOf(declaration), formOf(declaration)] as const);
  return { name: family, description, record: IntegrationRecord, subtypes: Object.fromEntries(forms) };
}
