import { type TSchema, Type } from 'typebox';
import { discriminatedUnion } from '../http/discriminated-union.ts';
import type { Family } from '../http/family.ts';
import type { IntegrationCatalogue } from '../integrations/catalogue.ts';
import { type IntegrationFamily, type IntegrationType, nameOf } from '../integrations/declaration.ts';
import { maxSettingsLength } from '../integrations/form.ts';
import { IntegrationRecord } from '../integrations/record.ts';
import { coded, disabledOrEnabled } from '../platform/coded.ts';
import { omissible } from '../platform/omissible.ts';

const name = Type.String({
  pattern: '\\S',
  minLength: 1,
  maxLength: 500,
  description: 'Name; must not be empty or consist of spaces only.',
});
const enabled = coded(disabledOrEnabled, 'Whether it is enabled:');
const type = Type.String({ minLength: 1, maxLength: 100, description: 'Type of integration.' });
const object = (description: string) =>
  Type.Record(Type.String({ maxLength: 200 }), Type.Unknown(), { description });
const dataDescription = `Settings of the type, at most ${maxSettingsLength} characters as JSON; members marked \`x-file\` do not count.`;
const data = object(dataDescription);
const props = omissible(
  object(`Further settings of the type, at most ${maxSettingsLength} characters as JSON.`),
);

export const IntegrationCreation = Type.Object({ name, type, enabled, data, props });

/** Clients send back the record that they read, so other members are ignored, including the type. */
export const IntegrationPatch = Type.Object({
  name: omissible(name),
  enabled: omissible(enabled),
  data: omissible(data),
  props,
});

function typeSchema({ type }: IntegrationType) {
  return Type.Enum([type] as [string], { description: 'Type of integration.' });
}

/** The creation schema of one type, including its `data`, for `/schemas` and the reference. */
function creationSchema(declaration: IntegrationType): TSchema {
  return Type.Object(
    {
      name,
      type: typeSchema(declaration),
      enabled,
      data: { ...declaration.data, description: dataDescription },
      ...(declaration.props && {
        props: Type.Optional({ ...declaration.props, description: 'Further settings.' }),
      }),
    },
    { title: nameOf(declaration), description: declaration.description },
  );
}

/** The discriminator is `type`, or `data.registryType` if the types of the family differ only by subtype. */
export function describedCreation(family: IntegrationFamily, catalogue: IntegrationCatalogue): TSchema {
  const types = catalogue.of(family);
  const withSubtype = types.find(({ subtype }) => subtype !== undefined);
  if (!withSubtype)
    return discriminatedUnion('type', types.map(creationSchema), 'The schema depends on `type`.');
  const schemas = types.map((declaration) => declaration.data);
  return Type.Object({
    name,
    type: typeSchema(withSubtype),
    enabled,
    data: discriminatedUnion('registryType', schemas, dataDescription),
  });
}

export function integrationFamily(
  family: IntegrationFamily,
  description: string,
  catalogue: IntegrationCatalogue,
): Family {
  const schemas = catalogue
    .of(family)
    .map((declaration) => [nameOf(declaration), creationSchema(declaration)] as const);
  return { name: family, description, record: IntegrationRecord, subtypes: Object.fromEntries(schemas) };
}
