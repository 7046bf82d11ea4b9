import { isDeepStrictEqual } from 'node:util';
import type { TObject } from 'typebox';
import { masked } from '../platform/masked.ts';
import type { IntegrationData } from './declaration.ts';
import { isObject, markedMembers, readMember as read, writeMember as write } from './marked-members.ts';
import { type SecretTreatment, secretMark } from './members.ts';

interface SecretMember {
  readonly path: readonly string[];
  readonly treatment: SecretTreatment;
}

/** Values of secret members by their dotted path. */
export type Secrets = Readonly<Record<string, string>>;

const cache = new WeakMap<TObject, readonly SecretMember[]>();

/** The members of `data` marked as secrets. */
export function secretMembers(schema: TObject): readonly SecretMember[] {
  const members =
    cache.get(schema) ??
    markedMembers<SecretTreatment>(schema, secretMark).map(({ path, mark }) => ({ path, treatment: mark }));
  cache.set(schema, members);
  return members;
}

/** Whether responses show a secret verbatim. */
export function showsSecret(schema: TObject): boolean {
  return secretMembers(schema).some(({ treatment }) => treatment === 'shown');
}

/** Extracts the secrets and replaces each by an empty string. */
export function takeSecrets(
  schema: TObject,
  data: IntegrationData,
): { open: IntegrationData; secrets: Secrets } {
  const secrets: Record<string, string> = {};
  let open = data;
  for (const { path } of secretMembers(schema)) {
    const value = read(open, path);
    if (typeof value !== 'string') continue;
    if (value !== '') secrets[path.join('.')] = value;
    open = write(open, path, '');
  }
  return { open, secrets };
}

/** Restores the secrets that responses show; the others stay empty. */
export function showSecrets(schema: TObject, open: IntegrationData, secrets: Secrets): IntegrationData {
  return secretMembers(schema)
    .filter(({ path, treatment }) => treatment === 'shown' && secrets[path.join('.')] !== undefined)
    .reduce((data, { path }) => write(data, path, secrets[path.join('.')]), open);
}

/** Masks the secrets for read-only callers. */
export function withMaskedSecrets<Shown extends IntegrationData>(schema: TObject, record: Shown): Shown {
  return secretMembers(schema).reduce((shown, { path }) => {
    const value = read(shown, path);
    return typeof value === 'string' && value !== '' ? (write(shown, path, masked(value)) as Shown) : shown;
  }, record);
}

/** Restores all secrets. */
export function fillSecrets(open: IntegrationData, secrets: Secrets): IntegrationData {
  return Object.entries(secrets).reduce((data, [path, value]) => write(data, path.split('.'), value), open);
}

/** Keeps the stored value of each secret that an update omits, blanks or masks. */
export function keepSecrets(schema: TObject, update: IntegrationData, stored: Secrets): IntegrationData {
  return withheldSecrets(schema, update, stored).reduce(
    (data, path) => write(data, path, stored[path.join('.')]),
    update,
  );
}

/** Paths of the stored secrets that an update does not provide. */
export function withheldSecrets(
  schema: TObject,
  update: IntegrationData,
  stored: Secrets,
): (readonly string[])[] {
  return secretMembers(schema)
    .map(({ path }) => path)
    .filter((path) => {
      const value = stored[path.join('.')];
      return value !== undefined && isWithheld(read(update, path), value);
    })
    .filter((path) => path.length === 1 || isObject(read(update, path.slice(0, -1))));
}

/**
 * Whether a required secret was never provided: clients send it empty or omit it. In an object that takes one of two
 * secrets, the other may be missing.
 */
export function lacksSecret(schema: TObject, open: IntegrationData, secrets: Secrets): boolean {
  const members = secretMembers(schema);
  return members.some(({ path }) => {
    if (secrets[path.join('.')] !== undefined) return false;
    if (read(open, path) !== undefined) return true;
    const parent = path.slice(0, -1);
    const siblings = members.filter((other) => isDeepStrictEqual(other.path.slice(0, -1), parent));
    const isRequired = parent.length === 0 || isObject(read(open, parent));
    return isRequired && !siblings.some((other) => secrets[other.path.join('.')] !== undefined);
  });
}

function isWithheld(value: unknown, stored: string): boolean {
  if (value === undefined || value === null || value === masked(stored)) return true;
  return typeof value === 'string' && /^[*xX\s]*$/.test(value);
}
