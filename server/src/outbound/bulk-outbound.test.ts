import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bulkOutboundIn, publicAddress } from '../testing/outbound.ts';
import { Receiver } from '../testing/receiver.ts';
import type { BulkOutbound } from './bulk-outbound.ts';

const host = 'api.example.com';
let receiver: Receiver;
let outbound: BulkOutbound;
beforeAll(async () => {
  receiver = await Receiver.start([host]);
  outbound = bulkOutboundIn({ receiver, hosts: { [host]: publicAddress, inner: '10.0.0.7' } });
});
beforeEach(() => receiver.forget());
afterAll(async () => {
  await outbound.close();
  await receiver.close();
});

describe('the bulk client', () => {
  test.each(['http', 'https'])('returns the whole reply by %s', async (scheme) => {
    const body = 'x'.repeat(3_000_000);
    receiver.expect({ status: 207, headers: { 'X-Kind': 'pot' }, body });
    const reply = await outbound.fetch({ method: 'DELETE', url: `${scheme}://${host}/a?b=c`, body: 'hello' });
    expect([reply.status, reply.headers['x-kind'], reply.body.toString() === body]).toEqual([
      207,
      'pot',
      true,
    ]);
    expect(receiver.received).toMatchObject([
      { method: 'DELETE', url: `${scheme}://${host}/a?b=c`, body: 'hello' },
    ]);
  });

  test.each([
    ['http://127.0.0.1:1/', '127.0.0.1 is not a public address.'],
    ['http://169.254.169.254/latest/meta-data', '169.254.169.254 is not a public address.'],
    ['https://inner/', 'inner has no public address'],
    ['ftp://api.example.com/', 'must use http or https'],
  ])('refuses %s', async (url, message) => {
    await expect(outbound.fetch({ method: 'GET', url })).rejects.toThrow(message);
    expect(receiver.received).toEqual([]);
  });

  test('fails on a reply that is too large, and goes on with the next', async () => {
    receiver.expect({ body: 'x'.repeat(2_000) }, { body: 'short' });
    const request = { method: 'GET', url: `https://${host}/`, maxBytes: 1_999 };
    await expect(outbound.fetch(request)).rejects.toThrow(`The reply of ${host} is larger than 1999 bytes.`);
    expect((await outbound.fetch(request)).body.toString()).toBe('short');
  });

  test('returns redirects instead of following them', async () => {
    receiver.expect({ status: 307, headers: { location: 'http://169.254.169.254/' } });
    const reply = await outbound.fetch({ method: 'GET', url: `https://${host}/` });
    expect([reply.status, receiver.received.length]).toEqual([307, 1]);
  });

  test("rejects with the caller's reason when it gives up", async () => {
    const reason = new Error('enough');
    const request = { method: 'GET', url: `https://${host}/`, signal: AbortSignal.abort(reason) };
    await expect(outbound.fetch(request)).rejects.toBe(reason);
  });
});
