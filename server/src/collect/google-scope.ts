import { Type } from 'typebox';
import { cloudNames, expectedName, isCloudName } from '../integrations/cloud-names.ts';
import type { IntegrationData } from '../integrations/declaration.ts';
import { quoted } from '../platform/quoted.ts';

/** Whose id a member holds depends on another one: a project has a name, an organization a number. */
export function projectOrOrganization(description: string, { mayBeEmpty = false } = {}) {
  return Type.String({
    ...(!mayBeEmpty && { minLength: 1 }),
    maxLength: 200,
    description: `${description} For a project it must be ${expectedName('googleProject')}.`,
    examples: [...cloudNames.googleProject.examples, '123456789012'],
  });
}

/** Refuses an id that no project can have, where a project is meant. */
export function checkProject(level: string, id: string) {
  return (data: IntegrationData): string | undefined => {
    const [meant, given] = [String(data[level] ?? ''), String(data[id] ?? '')];
    if (meant.toUpperCase() !== 'PROJECT' || given === '' || isCloudName('googleProject', given))
      return undefined;
    return `data.${id} has an invalid value: ${quoted(given)}. It must be ${expectedName('googleProject')}, because data.${level} is ${meant}.`;
  };
}
