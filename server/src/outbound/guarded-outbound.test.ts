import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { elsewhere, outboundIn, publicAddress } from '../testing/outbound.ts';
import { Receiver } from '../testing/receiver.ts';
import { GuardedOutbound } from './guarded-outbound.ts';
import type { OutboundError, OutboundRequest } from './outbound.ts';

const [host, other] = ['hooks.example.com', 'other.example.com'];
const secretPath = '/services/T0/canary?token=canary';
let receiver: Receiver;
beforeAll(async () => {
  receiver = await Receiver.start([host, other]);
});
beforeEach(() => receiver.forget());
afterAll(() => receiver.close());

const network = () =>
  outboundIn({ receiver, hosts: { [host]: publicAddress, [other]: publicAddress, inner: '10.0.0.7' } });
const post = (url: string, more: Partial<OutboundRequest> = {}): OutboundRequest => ({
  method: 'POST',
  url,
  body: 'hello',
  headers: { 'content-type': 'text/plain', authorization: 'canary', 'dd-api-key': 'canary' },
  ...more,
});
const problemOf = (request: Promise<unknown>): Promise<OutboundError> =>
  request.then(
    () => {
      throw new Error('the request succeeded');
    },
    (error: OutboundError) => error,
  );
const redirect = (location: string, status = 307) => ({ status, headers: { location } });

describe('the guarded client', () => {
  test.each(['http', 'https'])('sends a request by %s and returns the reply', async (scheme) => {
    receiver.expect({ status: 418, headers: { 'X-Kind': 'pot' }, body: 'short and stout' });
    const reply = await network().request(post(`${scheme}://${host}${secretPath}`));
    expect(reply).toMatchObject({ status: 418, headers: { 'x-kind': 'pot' }, text: 'short and stout' });
    expect(receiver.received).toMatchObject([
      {
        method: 'POST',
        url: `${scheme}://${host}${secretPath}`,
        headers: { 'content-type': 'text/plain', 'user-agent': 'Vedette', 'content-length': '5' },
        body: 'hello',
      },
    ]);
  });

  test.each([
    ['http://127.0.0.1/', /^127\.0\.0\.1 is not a public address\./],
    ['http://[::1]/', /^\[::1\] is not a public address\./],
    ['http://169.254.169.254/latest/meta-data', /^169\.254\.169\.254 is not a public address\./],
    ['ftp://hooks.example.com/', /^hooks\.example\.com must use http or https/],
    ['file:///etc/passwd', /must use http or https/],
    ['https://user:pass@hooks.example.com/', /^The address of hooks\.example\.com must not contain a user/],
    ['nonsense', /^The address is not a valid URL/],
  ])('refuses %s permanently', async (url, message) => {
    const problem = await problemOf(network().request(post(url)));
    expect([problem.message, problem.isFinal]).toEqual([expect.stringMatching(message), true]);
    expect(receiver.received).toEqual([]);
  });

  test('reaches private addresses if the operator allows them', async () => {
    const outbound = new GuardedOutbound({ allowsPrivate: true });
    expect((await outbound.request(post(`http://localhost:${receiver.port}/`))).status).toBe(200);
    expect((await outbound.request(post(`http://127.0.0.1:${receiver.port}/`))).status).toBe(200);
  });

  test('connects to the address that it checked, with a single DNS lookup', async () => {
    const answers = [publicAddress, '127.0.0.1'];
    const connected: string[] = [];
    const outbound = new GuardedOutbound({
      allowsPrivate: false,
      resolve: async () => [answers.shift() ?? '127.0.0.1'],
      elsewhere: {
        ...elsewhere(receiver),
        find: (address) => {
          connected.push(address);
          return { address: '127.0.0.1', port: receiver.port };
        },
      },
    });
    expect((await outbound.request(post(`https://${host}/`))).status).toBe(200);
    expect([connected, answers]).toEqual([[publicAddress], ['127.0.0.1']]);
    const again = await problemOf(outbound.request(post(`https://${host}/`)));
    expect(again.message).toContain('has no public address');
    expect(connected).toEqual([publicAddress]);
  });

  test('tries the next address if the first does not respond', async () => {
    const outbound = new GuardedOutbound({
      allowsPrivate: false,
      resolve: async () => ['8.8.8.8', publicAddress],
      elsewhere: {
        ...elsewhere(receiver),
        find: (address) => ({ address: '127.0.0.1', port: address === publicAddress ? receiver.port : 1 }),
      },
    });
    expect((await outbound.request(post(`https://${host}/`))).status).toBe(200);
  });

  test('requires a valid certificate for the name, unless disabled', async () => {
    const outbound = outboundIn({ receiver, hosts: { 'self.example.com': publicAddress } });
    const url = 'https://self.example.com/';
    const problem = await problemOf(outbound.request(post(url)));
    expect(problem.message).toBe('The request to self.example.com failed (ERR_TLS_CERT_ALTNAME_INVALID).');
    expect(receiver.received).toEqual([]);
    expect((await outbound.request(post(url, { acceptsAnyCertificate: true }))).status).toBe(200);
  });
});

describe('a redirect', () => {
  test('is followed with the same method and body', async () => {
    receiver.expect(redirect('/second', 302), redirect(`https://${host}/third`, 308), { body: 'done' });
    expect((await network().request(post(`https://${host}/first`))).text).toBe('done');
    expect(receiver.received.map(({ method, url, body }) => [method, new URL(url).pathname, body])).toEqual([
      ['POST', '/first', 'hello'],
      ['POST', '/second', 'hello'],
      ['POST', '/third', 'hello'],
    ]);
    expect(receiver.received[2]?.headers.authorization).toBe('canary');
  });

  test('is returned as the reply if the request is for that host only', async () => {
    receiver.expect(redirect('/other', 307));
    const request = post(`https://${host}/`, { isForHostOnly: true });
    expect((await network().request(request)).status).toBe(307);
    expect(receiver.received).toHaveLength(1);
  });

  test('with 303 is followed with GET', async () => {
    receiver.expect(redirect('/made', 303), { body: 'made' });
    expect((await network().request(post(`https://${host}/`))).text).toBe('made');
    expect(receiver.received[1]).toMatchObject({ method: 'GET', body: '' });
  });

  test('to another host drops credentials', async () => {
    receiver.expect(redirect(`https://${other}/`));
    await network().request(post(`https://${host}/`));
    const headers = receiver.received[1]?.headers ?? {};
    expect(headers).toMatchObject({ host: other, 'content-type': 'text/plain' });
    expect(JSON.stringify(headers)).not.toContain('canary');
  });

  test.each(['http://127.0.0.1/', 'http://inner/', 'http://0x7f000001/', 'http://[::ffff:169.254.169.254]/'])(
    'to %s is not followed',
    async (location) => {
      receiver.expect(redirect(location));
      const problem = await problemOf(network().request(post(`http://${host}/`)));
      expect(problem.message).toMatch(/ (?:is not a|has no) public address/);
      expect(receiver.received).toHaveLength(1);
    },
  );

  test('to an address without TLS is not followed', async () => {
    receiver.expect(redirect(`http://${host}/`));
    const problem = await problemOf(network().request(post(`https://${host}/`)));
    expect(problem.message).toContain('without TLS');
    expect(receiver.received).toHaveLength(1);
  });

  test('is followed three times at most', async () => {
    receiver.expect(...Array.from({ length: 9 }, () => redirect('/again')));
    const problem = await problemOf(network().request(post(`https://${host}/`)));
    expect([problem.message, problem.isFinal]).toEqual([`${host} redirects more than 3 times.`, true]);
    expect(receiver.received).toHaveLength(4);
  });
});

describe('a reply', () => {
  test('that does not arrive ends with the timeout of the request', async () => {
    receiver.expect('hang');
    const problem = await problemOf(
      network().request(post(`https://${host}${secretPath}`, { timeout: 100 })),
    );
    expect([problem.message, problem.isFinal]).toEqual([
      `${host} did not respond within 0.1 seconds.`,
      false,
    ]);
  });

  test('whose name is never resolved ends with the timeout of the request', async () => {
    const outbound = new GuardedOutbound({ allowsPrivate: false, resolve: () => new Promise(() => {}) });
    const problem = await problemOf(outbound.request(post(`https://${host}/`, { timeout: 50 })));
    expect(problem.message).toContain('did not respond');
  });

  test('of unlimited length is read up to a megabyte', async () => {
    receiver.expect('endless');
    const { text } = await network().request(post(`https://${host}/`));
    expect(text).toBe('x'.repeat(1_048_576));
  });

  test('that is cut off is a failure that names the host and no secret', async () => {
    receiver.expect('reset');
    const problem = await problemOf(network().request(post(`https://${host}${secretPath}`)));
    expect([problem.message, problem.isFinal]).toEqual([
      expect.stringMatching(/^The request to hooks\.example\.com failed/),
      false,
    ]);
    expect(problem.message).not.toContain('canary');
  });

  test('has the same, non-final error for an unknown, an unresolvable and a private name', async () => {
    const failing = (code: string) => async () => {
      throw Object.assign(new Error(`${code} name.example.com`), { code });
    };
    const resolvers = [
      ...[failing('ENOTFOUND'), failing('EAI_AGAIN'), failing('ESERVFAIL'), async () => []],
      ...[
        async () => ['10.0.0.7'],
        async () => ['127.0.0.1', '::1'],
        async () => [publicAddress, '10.0.0.7'],
      ],
    ];
    for (const resolve of resolvers) {
      const outbound = new GuardedOutbound({ allowsPrivate: false, resolve });
      const { message, isFinal, cause } = await problemOf(
        outbound.request(post('https://name.example.com/')),
      );
      expect([message, isFinal, cause]).toEqual([
        'name.example.com has no public address: check the name. Set VEDETTE_ALLOW_PRIVATE_TARGETS=true to allow private targets.',
        false,
        undefined,
      ]);
    }
  });

  test('has a specific error for an unknown name if private targets are allowed', async () => {
    const outbound = new GuardedOutbound({ allowsPrivate: true, resolve: async () => [] });
    const { message, isFinal } = await problemOf(outbound.request(post('https://name.example.com/')));
    expect([message, isFinal]).toEqual(['name.example.com has no address: check the name.', false]);
  });
});
