import fc from 'fast-check';
import { expect, test } from 'vitest';
import { imageIdOf, parseImageName } from './image-name.ts';

const digest = `sha256:${'a'.repeat(64)}`;

test.each([
  ['nginx', { repo: 'nginx' }],
  ['nginx:1.25', { repo: 'nginx', tag: '1.25' }],
  ['registry.example:5000/shop/web', { repo: 'registry.example:5000/shop/web' }],
  ['registry.example:5000/shop/web:v1', { repo: 'registry.example:5000/shop/web', tag: 'v1' }],
  [`shop/web:v1@${digest}`, { repo: 'shop/web', tag: 'v1', digest }],
  [`shop/web@${digest}`, { repo: 'shop/web', digest }],
  ['shop/web:<none>', { repo: 'shop/web' }],
  ['<none>:<none>', undefined],
  ['<none>@<none>', undefined],
  [digest, undefined],
  ['a'.repeat(64), undefined],
  ['', undefined],
])('%s', (text, name) => {
  expect(parseImageName(text)).toEqual(name);
});

test('an id has the name of its hash', () => {
  expect(imageIdOf('a'.repeat(64))).toBe(digest);
  expect(imageIdOf(digest)).toBe(digest);
});

test('a name is read as it was composed', () => {
  const part = fc.stringMatching(/^[a-z0-9]{1,8}$/);
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), part, fc.nat(65_535), (parts, tag, port) => {
      const repo = parts.length > 1 ? `host:${port}/${parts.join('/')}` : parts.join('/');
      expect(parseImageName(`${repo}:${tag}`)).toEqual({ repo, tag });
    }),
  );
});
