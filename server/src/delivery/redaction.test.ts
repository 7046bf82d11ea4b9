import { expect, test } from 'vitest';
import { withoutSecrets } from './redaction.ts';

test.each([
  ['no route for POST /services/T0/B0abcdef/key', 'no route for POST ***'],
  ['unknown hook B0abcdef', 'unknown hook ***'],
  ['the key s3cr3t-key is wrong', 'the key *** is wrong'],
  ['token qwertz99 expired', 'token *** expired'],
  ['hooks.example.com said no', 'hooks.example.com said no'],
])('%j is shown as %j', (text, shown) => {
  const secrets = { url: 'https://hooks.example.com/services/T0/B0abcdef/key', key: 's3cr3t-key' };
  expect(withoutSecrets(text, { ...secrets, other: 'https://a.example/x?token=qwertz99' })).toBe(shown);
});
