import { type Static, Type } from 'typebox';
import type { Tables } from '../../control/tables.ts';
import type { ProfileCatalogue } from './catalogue.ts';
import { placeholderFor } from './placeholders.ts';
import { inheritedTemplates, type Profile } from './profile.ts';
import { AlertTemplate } from './template.ts';

export type ProfileRow = Tables['alert_profiles'];

const fieldName = Type.String({ maxLength: 100, description: 'Name of the field.' });

export const ProfileRecord = Type.Object(
  {
    alertProfileId: Type.String({ maxLength: 100, description: 'Identifier used in paths and policies.' }),
    extends: Type.String({
      maxLength: 100,
      description: 'The profile from which it inherits; empty if none.',
    }),
    fields: Type.Array(Type.Object({ name: fieldName }), {
      description: 'Fields available to its templates, including inherited ones.',
    }),
    descriptionKeys: Type.Array(
      Type.Object({
        name: fieldName,
        spec: Type.String({ maxLength: 110, description: 'Placeholder of the field in a template.' }),
      }),
      { description: 'Placeholders of the fields.' },
    ),
    alerts: Type.Array(AlertTemplate, { description: 'Its own templates.' }),
  },
  { description: 'An alert profile.' },
);
export type ProfileRecord = Static<typeof ProfileRecord>;

export function profileRecord({ id, base, fields, alerts }: Profile): ProfileRecord {
  return {
    alertProfileId: id,
    extends: base,
    fields: fields.map((name) => ({ name })),
    descriptionKeys: fields.map((name) => ({ name, spec: placeholderFor(name) })),
    alerts: [...alerts],
  };
}

/** A custom profile. It keeps its own templates even if a release removed its base. */
export function customProfile(row: ProfileRow, catalogue: ProfileCatalogue): Profile {
  const base = catalogue.find(row.base);
  return {
    id: row.id,
    base: row.base,
    fields: base?.fields ?? [],
    alerts: JSON.parse(row.alerts),
    inherited: base ? inheritedTemplates(base) : [],
  };
}
