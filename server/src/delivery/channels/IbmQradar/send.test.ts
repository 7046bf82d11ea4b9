import { afterAll, beforeAll, expect, test } from 'vitest';
import { GuardedOutbound } from '../../../outbound/guarded-outbound.ts';
import { sampleMessages } from '../../../testing/alert-message.ts';
import { ManualClock } from '../../../testing/clock.ts';
import { publicAddress } from '../../../testing/outbound.ts';
import { Receiver } from '../../../testing/receiver.ts';
import { transportsWith } from '../../../testing/transports.ts';
import channel from './send.ts';

const host = 'qradar.example.com';
let receiver: Receiver;
beforeAll(async () => {
  receiver = await Receiver.start([host]);
});
afterAll(() => receiver.close());

/** The receiver's certificate is not signed by a trusted authority. */
function send(qradarCommType: string) {
  const outbound = new GuardedOutbound({
    allowsPrivate: false,
    resolve: async () => [publicAddress],
    elsewhere: { find: () => ({ address: '127.0.0.1', port: receiver.port }) },
  });
  const clock = new ManualClock();
  return channel.send({
    message: sampleMessages.opened,
    data: { qradarHostUrl: host, qradarCommType },
    earlier: undefined,
    outbound,
    transports: transportsWith(outbound, clock),
    clock,
  });
}

test('accepts a self-signed certificate only if the channel allows it', async () => {
  await expect(send('HTTPS')).rejects.toThrow('UNABLE_TO_VERIFY_LEAF_SIGNATURE');
  expect(receiver.received).toEqual([]);
  await send('HTTPS Self Signed Cert');
  expect(receiver.received).toHaveLength(1);
});
