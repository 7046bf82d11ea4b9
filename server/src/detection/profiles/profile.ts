import { Refusal } from '../../platform/errors.ts';
import { quoted } from '../../platform/quoted.ts';
import { checkPlaceholders } from './placeholders.ts';
import type { AlertTemplate } from './template.ts';

/** A profile with what it inherits. */
export interface Profile {
  readonly id: string;
  /** The id of the profile that it extends; empty where there is none. */
  readonly base: string;
  /** Everything that a template may name: the base's fields, then its own. */
  readonly fields: readonly string[];
  /** Its own templates. */
  readonly alerts: readonly AlertTemplate[];
  /** Those of the base, and of the base's base. */
  readonly inherited: readonly AlertTemplate[];
}

/** The template of that name, its own before an inherited one; without a name the first. */
export function templateOf(
  { alerts, inherited }: Pick<Profile, 'alerts' | 'inherited'>,
  name?: string,
): AlertTemplate | undefined {
  const all = [...alerts, ...inherited];
  return name === undefined ? all[0] : all.find((template) => template.name === name);
}

/** What a profile that extends this one inherits from it. */
export function passedOn({ alerts, inherited }: Profile): AlertTemplate[] {
  return [...alerts, ...inherited];
}

/** Refuses templates that share a name or name a field that the profile lacks. */
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
