import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { blankSecret, requiredString, shownSecret } from './members.ts';
import { fillSecrets, keepSecrets, lacksSecret, secretMembers, showSecrets, takeSecrets } from './secrets.ts';

const schema = Type.Object({
  url: shownSecret('Shown.'),
  user: requiredString('Open.'),
  credentials: Type.Object(
    { key: Type.Optional(blankSecret('Blank.')), id: requiredString('Open.') },
    { description: 'x' },
  ),
});
const data = { url: 'https://secret', user: 'ops', credentials: { key: 'canary', id: '7' } };
const secrets = { url: 'https://secret', 'credentials.key': 'canary' };

describe('secrets of an integration', () => {
  test('are the marked members of the schema', () => {
    expect(secretMembers(schema).map(({ path }) => path.join('.'))).toEqual(['url', 'credentials.key']);
  });

  test('are extracted and replaced by empty strings', () => {
    const taken = takeSecrets(schema, data);
    expect(taken.secrets).toEqual(secrets);
    expect(taken.open).toEqual({ url: '', user: 'ops', credentials: { key: '', id: '7' } });
    expect(data.credentials.key).toBe('canary');
  });

  test('are restored only if responses show them', () => {
    const { open } = takeSecrets(schema, data);
    expect(showSecrets(schema, open, secrets)).toEqual({
      url: 'https://secret',
      user: 'ops',
      credentials: { key: '', id: '7' },
    });
  });

  test('are all restored for authentication', () => {
    expect(fillSecrets(takeSecrets(schema, data).open, secrets)).toEqual(data);
  });

  test.each([undefined, '', '   ', '****', 'xXx*'])('keep their value when an update sends %j', (key) => {
    const update = { user: 'new', credentials: { id: '8', ...(key !== undefined && { key }) } };
    expect(keepSecrets(schema, update, secrets)).toEqual({
      url: 'https://secret',
      user: 'new',
      credentials: { id: '8', key: 'canary' },
    });
  });

  test('change when an update sends a new value, and are removed with their object', () => {
    const update = { url: 'https://new', user: 'ops' };
    expect(keepSecrets(schema, update, secrets)).toEqual(update);
  });

  test('are missing if empty or omitted', () => {
    const lacks = (credentials: object | undefined, given: Record<string, string>) =>
      lacksSecret(schema, { url: '', user: 'a', ...(credentials && { credentials }) }, given);
    expect(lacks({ id: '7' }, { url: 'x' })).toBe(true);
    expect(lacks({ key: '', id: '7' }, { url: 'x' })).toBe(true);
    expect(lacks({ key: '', id: '7' }, secrets)).toBe(false);
    expect(lacks(undefined, { url: 'x' })).toBe(false);
  });

  test('are not missing if one of two suffices', () => {
    const either = Type.Object({
      apiToken: Type.Optional(blankSecret('One.')),
      password: Type.Optional(blankSecret('The other.')),
    });
    expect(lacksSecret(either, { password: '' }, { password: 'x' })).toBe(false);
    expect(lacksSecret(either, { password: '' }, {})).toBe(true);
    expect(lacksSecret(either, {}, {})).toBe(true);
  });
});
