import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { blankSecret, shownSecret, text } from './members.ts';
import { keepSecrets, lacksSecret, secretMembers, showSecrets, takeSecrets } from './secrets.ts';

const schema = Type.Object({
  url: shownSecret('Shown.'),
  user: text('Open.'),
  credentials: Type.Object(
    { key: Type.Optional(blankSecret('Blank.')), id: text('Open.') },
    { description: 'x' },
  ),
});
const data = { url: 'https://secret', user: 'ops', credentials: { key: 'canary', id: '7' } };
const secrets = { url: 'https://secret', 'credentials.key': 'canary' };

describe('secrets of an integration', () => {
  test('are found wherever the form marks them', () => {
    expect(secretMembers(schema).map(({ path }) => path.join('.'))).toEqual(['url', 'credentials.key']);
  });

  test('are taken out and leave an empty text behind', () => {
    const taken = takeSecrets(schema, data);
    expect(taken.secrets).toEqual(secrets);
    expect(taken.open).toEqual({ url: '', user: 'ops', credentials: { key: '', id: '7' } });
    expect(data.credentials.key).toBe('canary');
  });

  test('come back only where responses show them', () => {
    const { open } = takeSecrets(schema, data);
    expect(showSecrets(schema, open, secrets)).toEqual({
      url: 'https://secret',
      user: 'ops',
      credentials: { key: '', id: '7' },
    });
  });

  test.each([undefined, '', '   ', '****', 'xXx*'])('keep their value when an update sends %j', (key) => {
    const update = { user: 'new', credentials: { id: '8', ...(key !== undefined && { key }) } };
    expect(keepSecrets(schema, update, secrets)).toEqual({
      url: 'https://secret',
      user: 'new',
      credentials: { id: '8', key: 'canary' },
    });
  });

  test('change when an update sends another one, and an object that is gone takes its secret along', () => {
    const update = { url: 'https://new', user: 'ops' };
    expect(keepSecrets(schema, update, secrets)).toEqual(update);
  });

  test('are missed when they were given empty, not when they were left out', () => {
    expect(lacksSecret(schema, { url: '', user: 'a', credentials: { id: '7' } }, { url: 'x' })).toBe(false);
    expect(lacksSecret(schema, { url: '', user: 'a', credentials: { key: '', id: '7' } }, { url: 'x' })).toBe(
      true,
    );
  });
});
