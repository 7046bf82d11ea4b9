import { afterAll, beforeAll, expect, test } from 'vitest';
import { ManualClock } from '../../testing/clock.ts';
import { expectGenuine } from '../../testing/genuine.ts';
import { outboundTo } from '../../testing/outbound.ts';
import { Receiver } from '../../testing/receiver.ts';
import { googleKey } from '../../testing/transports.ts';
import { GoogleTokens } from './service-account.ts';

const hosts = ['oauth2.googleapis.com'];
let receiver: Receiver;
beforeAll(async () => {
  receiver = await Receiver.start(hosts);
});
afterAll(() => receiver.close());

test('a token is cached per account, key and scope until shortly before it expires', async () => {
  const clock = new ManualClock();
  const tokens = new GoogleTokens(outboundTo(receiver, hosts), clock);
  let made = 0;
  receiver.react = () => ({ body: JSON.stringify({ access_token: `token ${++made}`, expires_in: 3_600 }) });
  // The format in the JSON file from Google.
  const account = {
    clientEmail: 'a@b',
    privateKeyId: '1',
    privateKey: googleKey.privateKey.replaceAll('\n', '\\n'),
  };
  expect(await Promise.all([tokens.get(account, 's'), tokens.get(account, 's')])).toEqual([
    'token 1',
    'token 1',
  ]);
  expect(await tokens.get(account, 'other')).toBe('token 2');
  expect(await tokens.get({ ...account, privateKeyId: '2' }, 's')).toBe('token 3');
  clock.advance(3_300_000 - 1);
  expect(await tokens.get(account, 's')).toBe('token 1');
  clock.advance(1);
  expect(await tokens.get(account, 's')).toBe('token 4');
  tokens.forget(account, 's');
  expect(await tokens.get(account, 's')).toBe('token 5');
  receiver.received.forEach(expectGenuine);
});

test('an invalid key is reported without being shown', async () => {
  const tokens = new GoogleTokens(outboundTo(receiver, hosts), new ManualClock());
  await expect(tokens.get({ clientEmail: 'a@b', privateKey: 'canary' }, 's')).rejects.toMatchObject({
    message: 'The private key of the service account is not valid PEM: correct it.',
    isFinal: true,
  });
});
