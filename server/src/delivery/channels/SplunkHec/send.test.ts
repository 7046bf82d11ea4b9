import { afterAll, beforeAll, expect, test } from 'vitest';
import { sampleMessages } from '../../../testing/alert-message.ts';
import { ManualClock } from '../../../testing/clock.ts';
import { outboundTo } from '../../../testing/outbound.ts';
import { Receiver } from '../../../testing/receiver.ts';
import { transportsWith } from '../../../testing/transports.ts';
import channel from './send.ts';

const host = 'splunk.example.com';
let receiver: Receiver;
beforeAll(async () => {
  receiver = await Receiver.start([host]);
});
afterAll(() => receiver.close());

async function send(settings: object) {
  receiver.forget();
  const data = {
    hecToken: 'token',
    host,
    port: 0,
    eventData: { index: 'main', source: 'vedette' },
    ...settings,
  };
  const [outbound, clock] = [outboundTo(receiver, [host]), new ManualClock()];
  await channel.send({
    message: sampleMessages.opened,
    data,
    earlier: undefined,
    outbound,
    transports: transportsWith(outbound, clock),
    clock,
  });
  return receiver.received;
}

test('sends a channel only if one is set', async () => {
  const [without] = await send({ channel: '' });
  expect(without?.headers).not.toHaveProperty('x-splunk-request-channel');
  const [named] = await send({ channel: '0a1b' });
  expect(named?.headers).toHaveProperty('x-splunk-request-channel', '0a1b');
});

test('defaults to the standard path of the collector', async () => {
  const [plain] = await send({});
  expect(plain?.url).toBe(`http://${host}:8088/services/collector/event`);
  const [secure] = await send({ ssl: true, port: 443 });
  expect(secure?.url).toBe(`https://${host}/services/collector/event`);
});

test('sends nothing with a malformed token', async () => {
  await expect(send({ hecToken: 'a\r\nx-other: b' })).rejects.toMatchObject({ isFinal: true });
  expect(receiver.received).toEqual([]);
});
