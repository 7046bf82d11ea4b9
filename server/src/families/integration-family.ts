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
const aboutData = `Settings of the type, at most ${maxSettingsLength} characters as JSON; members marked \`x-file\` do not count.`;
const data = object(aboutData);
const props = omissible(
  object(`Further settings of the type, at most ${maxSettingsLength} characters as JSON.`),
);

export const IntegrationCreation = Type.Object({ name, type, enabled, data, props });

/** Clients send back what they read: whatever else is in it is ignored, the type too. */
export const IntegrationPatch = Type.Object({
  name: omissible(name),
  enabled: omissible(enabled),
  data: omissible(data),
  props,
});

function typeOf({ type }: IntegrationType) {
  return Type.Enum([type] as [string], { description: 'Type of integration.' });
}

/** The form of one type with its `data` spelled out, for `/schemas` and the documentation. */
function formOf(declaration: IntegrationType): TSchema {
  return Type.Object(
    {
      name,
      type: typeOf(declaration),
      enabled,
      data: { ...declaration.data, description: aboutData },
      ...(declaration.props && {
        props: Type.Optional({ ...declaration.props, description: 'Further settings.' }),
      }),
    },
    { title: nameOf(declaration), description: declaration.description },
  );
}

/** What a new integration of the family looks like: one member, of `data` where they share a type, says which form. */
export function describedCreation(family: IntegrationFamily, catalogue: IntegrationCatalogue): TSchema {
  const types = catalogue.of(family);
  const shared = types.find(({ subtype }) => subtype !== undefined);
  if (!shared) return discriminatedUnion('type', types.map(formOf), 'By type.');
  const forms = types.map((declaration) => declaration.data);
  return Type.Object({
    name,
    type: typeOf(shared),
    enabled,
    data: discriminatedUnion('registryType', forms, aboutData),
  });
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
