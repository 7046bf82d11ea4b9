import { harmlessNames, secretAssignments, secretHeaders, secretNames, secretParts } from './rules.ts';

/** Longer names are not compared. */
export const maxNameLength = 128;

/** `--db-password`, `DB_PASSWORD`, `db.password` and `dbPassword` are the same name. */
function normal(name: string): string {
  return name
    .slice(-maxNameLength)
    .replace(/^[-/]+/, '')
    .replace(/[_.]/g, '-')
    .toLowerCase();
}

/** Whether the word after an option of this name is a secret. */
export function isSecretOption(option: string): boolean {
  const name = normal(option);
  return secretNames.test(name) && !harmlessNames.test(name);
}

/** Whether what is assigned to this name is a secret. */
export function isSecretAssignment(assigned: string): boolean {
  const name = normal(assigned);
  if (harmlessNames.test(name)) return false;
  return (
    secretNames.test(name) ||
    secretParts.test(name) ||
    secretAssignments.test(name) ||
    secretHeaders.test(name)
  );
}

export function isSecretHeader(header: string): boolean {
  return secretHeaders.test(normal(header)) || isSecretOption(header);
}
