import { Refusal } from '../../platform/errors.ts';
import { quoted } from '../../platform/quoted.ts';
import { checkPlaceholders } from './placeholders.ts';
import type { AlertTemplate } from './template.ts';

/** A profile including inherited members. */
export interface Profile {
  readonly id: string;
  /** The id of the extended profile; empty if there is none. */
  readonly base: string;
  /** All fields available to templates: those of the base, then its own. */
  readonly fields: readonly string[];
  readonly alerts: readonly AlertTemplate[];
  /** Templates of all its bases. */
  readonly inherited: readonly AlertTemplate[];
}

/** The template with the name, own templates before inherited ones; the first template without a name. */
export function templateOf(
  { alerts, inherited }: Pick<Profile, 'alerts' | 'inherited'>,
  name?: string,
): AlertTemplate | undefined {
  const all = [...alerts, ...inherited];
  return name === undefined ? all[0] : all.find((template) => template.name === name);
}

/** The templates that an extending profile inherits. */
export function inheritedTemplates({ alerts, inherited }: Profile): AlertTemplate[] {
  return [...alerts, ...inherited];
}

/** Rejects templates with duplicate names or unknown fields. */
export function checkTemplates(alerts: readonly AlertTemplate[], fields: readonly string[]): void {
  const known = new Set(fields);
  const names = new Set<string>();
  alerts.forEach((template, index) => {
    const place = `alerts[${index}]`;
    if (names.has(template.name)) {
      throw new Refusal(
        'INVALID_INPUT',
        `${place}.name ${quoted(template.name)} is already used by another template of the array: choose another name.`,
      );
    }
    names.add(template.name);
    checkPlaceholders(template, known, `${place}.`);
  });
}
