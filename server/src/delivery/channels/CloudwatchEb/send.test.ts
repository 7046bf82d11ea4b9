import { afterAll, beforeAll, expect, test } from 'vitest';
import { sampleMessages } from '../../../testing/alert-message.ts';
import { ManualClock } from '../../../testing/clock.ts';
import { outboundTo } from '../../../testing/outbound.ts';
import { Receiver } from '../../../testing/receiver.ts';
import { transportsWith } from '../../../testing/transports.ts';
import channel from './send.ts';

let receiver: Receiver;
beforeAll(async () => {
  receiver = await Receiver.start();
});
afterAll(() => receiver.close());

test.each(['arn:aws:events::112233445566:event-bus/alerts', 'alerts'])(
  'a bus such as %s is rejected permanently, because its region is unknown',
  async (eventBusArn) => {
    const [outbound, clock] = [outboundTo(receiver, []), new ManualClock()];
    const transports = transportsWith(outbound, clock);
    const message = sampleMessages.opened;
    const sent = channel.send({
      message,
      data: { eventBusArn },
      earlier: undefined,
      outbound,
      transports,
      clock,
    });
    await expect(sent).rejects.toMatchObject({
      message: expect.stringContaining('data.eventBusArn'),
      isFinal: true,
    });
  },
);
