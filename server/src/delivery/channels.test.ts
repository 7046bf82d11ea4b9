import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AlertMessage } from '../alerts/alert-message.ts';
import type { Outbound } from '../outbound/outbound.ts';
import { sampleMessages } from '../testing/alert-message.ts';
import { ManualClock } from '../testing/clock.ts';
import { expectGenuine } from '../testing/genuine.ts';
import { outboundTo } from '../testing/outbound.ts';
import { Receiver } from '../testing/receiver.ts';
import { googleKey, transportsWith } from '../testing/transports.ts';
import { expectRequest, readWireFixture, type WireFixture } from '../testing/wire-fixture.ts';
import type { DeliveryError, Sending } from './channel.ts';
import { channelOf } from './channels.ts';

/** Every folder with a fixture, so that new channels are tested automatically. */
const sources = new URL('../../src/delivery/channels/', import.meta.url);
const types = readdirSync(sources).filter((type) => existsSync(new URL(`${type}/wire.yaml`, sources)));
const fixtures = new Map(types.map((type) => [type, readWireFixture(new URL(`${type}/wire.yaml`, sources))]));
const hosts = [...fixtures.values()].flatMap(({ cases }) =>
  cases.flatMap(({ exchanges }) => exchanges.map(({ request }) => new URL(request.url).hostname)),
);
const maxMessageLength = 60_000;

let receiver: Receiver;
let outbound: Outbound;
beforeAll(async () => {
  receiver = await Receiver.start([...new Set(hosts)]);
  outbound = outboundTo(receiver, hosts);
});
beforeEach(() => {
  receiver.forget();
  receiver.react = () => ({ status: 599, body: 'unexpected request' });
});
afterAll(() => receiver.close());

type Case = WireFixture['cases'][number];

async function send(type: string, { data, earlier, message = 'opened' }: Case) {
  const clock = new ManualClock();
  const sending: Sending = {
    ...{ data: withKey(data), earlier, outbound, clock },
    transports: transportsWith(outbound, clock),
    message: sampleMessages[message],
  };
  return (await channelOf(type)).send(sending);
}

/** Generates the signing key per run; fixtures contain none. */
function withKey(data: Case['data']): Case['data'] {
  return JSON.parse(
    JSON.stringify(data).replaceAll('PRIVATE KEY', JSON.stringify(googleKey.privateKey).slice(1, -1)),
  );
}

const problemOf = (sent: Promise<unknown>): Promise<DeliveryError> =>
  sent.then(
    () => {
      throw new Error('it was taken');
    },
    (error: DeliveryError) => error,
  );

test('every channel type has a sender and a fixture', async () => {
  const all = readdirSync(sources);
  expect(all).toHaveLength(16);
  for (const type of all) {
    expect((await channelOf(type)).send).toBeTypeOf('function');
    const files = readdirSync(new URL(`${type}/`, sources)).join();
    expect(files).toMatch(/\.golden\..*(?:wire|smtp)\.yaml/);
  }
});

describe.each([...fixtures])('%s', (type, { documentation, cases, refusals, ...limits }) => {
  test('names the documentation that it follows', () => {
    expect(documentation).toMatch(/^https:\/\//);
  });

  test.each(cases)('sends $name as documented', async (one) => {
    receiver.expect(...one.exchanges.map(({ reply }) => reply));
    expect(await send(type, one)).toEqual(one.external);
    expect(receiver.received).toHaveLength(one.exchanges.length);
    for (const [at, { request }] of one.exchanges.entries()) expectRequest(receiver.received[at], request);
    receiver.received.forEach(expectGenuine);
    const { deliveryId } = sampleMessages[one.message ?? 'opened'];
    const requests = JSON.stringify(receiver.received);
    expect(
      requests.includes(deliveryId) || requests.includes(Buffer.from(deliveryId).toString('base64')),
    ).toBe(true);
  });

  test.each(refusals)('treats $replies as a rejection', async ({ replies, problem, isFinal, retryAfter }) => {
    receiver.expect(...replies);
    const error = await problemOf(send(type, cases[0] as Case));
    expect([error.message, error.isFinal, error.retryAfter]).toEqual([
      expect.stringContaining(problem),
      isFinal,
      retryAfter,
    ]);
    expect(error.message).not.toContain('canary');
  });

  test.each([{ status: 503 }, 'reset'] as const)('is retried after %j', async (reaction) => {
    receiver.react = () => reaction;
    expect(await problemOf(send(type, cases[0] as Case))).toMatchObject({ isFinal: false });
  });

  test('matches its golden message and stays within the receiver’s limits', async () => {
    const { default: render } = (await import(`./channels/${type}/message.js`)) as {
      default: (message: AlertMessage, data: Case['data']) => unknown;
    };
    const { storm, updatedStorm, ...samples } = sampleMessages;
    const messages = cases.map(({ name, data }) => {
      for (const long of [storm, updatedStorm])
        expect(Buffer.byteLength(JSON.stringify(render(long, data)))).toBeLessThanOrEqual(
          limits.largest ?? maxMessageLength,
        );
      const bodies = Object.entries(samples).map(([sample, message]) => [sample, render(message, data)]);
      return [name, Object.fromEntries(bodies)];
    });
    // Closing messages carry no text.
    for (const { data } of cases)
      for (const message of [samples.opened, samples.updated])
        expect(JSON.stringify(render(message, data))).toContain('Ask alice why.');
    const golden = fileURLToPath(new URL(`${type}/message.golden.json`, sources));
    await expect(`${JSON.stringify(Object.fromEntries(messages), undefined, 2)}\n`).toMatchFileSnapshot(
      golden,
    );
  });
});
