import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ControlStore } from '../control/store.ts';
import { IntegrationCatalogue, loadIntegrationTypes } from '../integrations/catalogue.ts';
import { Integrations } from '../integrations/integrations.ts';
import { secretsOf } from '../integrations/record.ts';
import { formsOf } from '../outbound/encodings.ts';
import { Keyring } from '../platform/keyring.ts';
import { createLog } from '../platform/log.ts';
import { ManualClock } from '../testing/clock.ts';
import { createTestPlace, type TestPlace, testOnSqlite } from '../testing/database.ts';
import { echoes } from '../testing/echoes.ts';
import { outboundTo } from '../testing/outbound.ts';
import { type Received, Receiver } from '../testing/receiver.ts';
import { googleKey, transportsWith } from '../testing/transports.ts';
import { readWireFixture } from '../testing/wire-fixture.ts';
import { ChannelTest } from './channel-test.ts';

/** The fixtures of every channel that authenticates its requests. */
const sources = new URL('../../src/delivery/channels/', import.meta.url);
const fixtures = readdirSync(sources)
  .filter((type) => existsSync(new URL(`${type}/wire.yaml`, sources)) && type !== 'IbmQradar')
  .map((type) => [type, readWireFixture(new URL(`${type}/wire.yaml`, sources)).cases[0]] as const);
const hosts = fixtures.flatMap(([, one]) =>
  (one?.exchanges ?? []).map(({ request }) => new URL(request.url).hostname),
);
const channels = new URL('./channels/', import.meta.url);
const scope = { ownerId: 'OWNER', name: 'local', isOrganization: false, isReadOnly: false };
const set = { scope, family: 'AlertChannels', url: 'http://localhost' } as const;
const actor = { userName: 'ops@example.com', ownerId: 'OWNER', accountName: 'local', act: 'Tested' };
const clock = new ManualClock();
const keyring = new Keyring([Keyring.newMaterial()]);

let place: TestPlace;
let store: ControlStore;
let receiver: Receiver;
let catalogue: IntegrationCatalogue;
beforeAll(async () => {
  place = await createTestPlace();
  store = await ControlStore.open(place.controlUrl, clock);
  receiver = await Receiver.start([...new Set(hosts)]);
  catalogue = new IntegrationCatalogue(await loadIntegrationTypes(channels));
});
afterAll(async () => {
  await receiver.close();
  await store.close();
  await place.remove();
});

const harmless =
  /^(?:host|connection|accept|user-agent|content-.*|transfer-encoding|vedette-delivery-id|x-amz-(?:date|target|content-sha256))$/;

/** Credentials in a request: headers, and the assertion for Google tokens. */
function credentialsOf({ headers, body }: Received): string[] {
  const signing = Object.entries(headers).filter(([name]) => !harmless.test(name));
  const assertion = new URLSearchParams(body).get('assertion');
  return [...signing.map(([, value]) => value), ...(assertion === null ? [] : [assertion])];
}

/** Credentials first, because only the beginning of a reply is shown. */
function repeated(received: Received): string {
  return [...credentialsOf(received), received.url, received.body].join('\n');
}

/** A reply in the error format of each service. */
function reasonFor(url: string, echoed: string): string {
  if (/\/\/(?:sts|[^/]*\.s3)\./.test(url))
    return `<Error><Code>Denied</Code><Message>${echoed}</Message></Error>`;
  if (/googleapis|amazonaws/.test(url)) return JSON.stringify({ message: echoed, error: echoed });
  return echoed;
}

async function newChannel(type: string, data: object): Promise<string> {
  const given = JSON.parse(
    JSON.stringify(data).replaceAll('PRIVATE KEY', JSON.stringify(googleKey.privateKey).slice(1, -1)),
  );
  const integrations = new Integrations({ store, keyring, clock, catalogue });
  const { intgGuid } = await integrations.create(actor, set, { name: type, type, enabled: 1, data: given });
  return intgGuid;
}

async function problemOf(id: string): Promise<string> {
  const outbound = outboundTo(receiver, hosts);
  const transports = transportsWith(outbound, clock);
  const channelTest = new ChannelTest({
    store,
    catalogue,
    keyring,
    outbound,
    transports,
    clock,
    log: createLog('silent'),
  });
  return channelTest.run(actor, set, id).then(
    () => '',
    (error: Error) => error.message,
  );
}

/** Substrings from the middle of each encoding: truncated secrets must not appear either. */
function chunks(secret: string): string[] {
  return Object.values(echoes)
    .map((echo) => echo(secret))
    .map((text) => text.slice(Math.max(0, text.length / 2 - 10), text.length / 2 + 10))
    .filter((text) => text.length >= 6);
}

describe.each(fixtures)('%s', (type, one) => {
  const exchanges = one?.exchanges ?? [];

  test.each(Object.entries(echoes))('shows and keeps nothing that a receiver repeats %s', async (_, echo) => {
    const id = await newChannel(type, one?.data ?? {});
    const row = await store.read
      .selectFrom('integrations')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const stored = Object.values(secretsOf(row, keyring)).filter((secret) => !secret.startsWith('https://'));
    for (const refused of exchanges.keys()) {
      receiver.forget();
      receiver.react = (received) => {
        const at = receiver.received.length - 1;
        if (at < refused) return exchanges[at]?.reply ?? {};
        const echoed = echo(repeated(received));
        return { status: 400, body: reasonFor(received.url, echoed) };
      };
      const shown = await problemOf(id);
      const { state } = await store.read
        .selectFrom('integrations')
        .select('state')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      expect(shown).toContain('***');
      const kept = shown + state;
      for (const { text } of formsOf('canary')) expect(kept).not.toContain(text);
      for (const secret of [...stored, ...receiver.received.flatMap(credentialsOf)])
        for (const chunk of chunks(secret)) expect(kept).not.toContain(chunk);
    }
  });
});

testOnSqlite('the files of the store hold none of it', () => {
  const files = readdirSync(place.directory).filter((file) => file.startsWith('control.db'));
  expect(files).toContain('control.db');
  for (const file of files) {
    const bytes = readFileSync(join(place.directory, file), 'latin1');
    for (const { text } of formsOf('canary')) expect(bytes.includes(text)).toBe(false);
  }
});
