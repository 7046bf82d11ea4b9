import { Type } from 'typebox';
import { cloudNames, expectedName, isCloudName } from '../integrations/cloud-names.ts';
import type { IntegrationData } from '../integrations/declaration.ts';
import { quoted } from '../platform/quoted.ts';

/** The id of a project or an organization, depending on another member; organization ids are numbers. */
export function projectOrOrganization(description: string, { mayBeEmpty = false } = {}) {
  return Type.String({
    ...(!mayBeEmpty && { minLength: 1 }),
    maxLength: 200,
    description: `${description} For a project it must be ${expectedName('googleProject')}.`,
    examples: [...cloudNames.googleProject.examples, '123456789012'],
  });
}

/** Checks the format of a project id. */
export function checkProject(level: string, id: string) {
  return (data: IntegrationData): string | undefined => {
    const [scope, given] = [String(data[level] ?? ''), String(data[id] ?? '')];
    if (scope.toUpperCase() !== 'PROJECT' || given === '' || isCloudName('googleProject', given))
      return undefined;
    return `data.${id} has an invalid value: ${quoted(given)}. It must be ${expectedName('googleProject')}, because data.${level} is ${scope}.`;
  };
}
