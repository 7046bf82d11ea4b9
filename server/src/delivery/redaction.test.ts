import { expect, test } from 'vitest';
import { redactionOf } from './redaction.ts';

test.each([
  ['no route for POST /services/T0/B0abcdef/key', 'no route for POST ***'],
  ['unknown hook B0abcdef', 'unknown hook ***'],
  ['the key s3cr3t-key is wrong', 'the key *** is wrong'],
  ['token qwertz99 expired', 'token *** expired'],
  ['hooks.example.com said no', 'hooks.example.com said no'],
  ['signature ab%2Bcd%3D is old', 'signature *** is old'],
  ['signature ab+cd= is old', 'signature *** is old'],
  ['nothing at /in%20voke', 'nothing at ***'],
  ['nothing at /in voke', 'nothing at ***'],
])('%j is redacted to %j', (text, shown) => {
  const secrets = { url: 'https://hooks.example.com/services/T0/B0abcdef/key', key: 's3cr3t-key' };
  const signed = 'https://flow.example/in voke?sig=ab%2Bcd%3D';
  const redaction = redactionOf({ ...secrets, signed, other: 'https://a.example/x?token=qwertz99' });
  expect(redaction.apply(text)).toBe(shown);
});
