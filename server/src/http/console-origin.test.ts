import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestService } from '../testing/service.ts';

let service: TestService;
let session: string;
beforeAll(async () => {
  service = await TestService.start({ VEDETTE_PUBLIC_URL: 'https://vedette.example' });
  session = await service.signIn();
});
afterAll(() => service.stop());

const port = () => Number(new URL(service.url).port);

/** With any Host, which fetch does not allow to set. */
async function send(method: string, path: string, headers: Record<string, string>, body?: object) {
  const outgoing = request({
    ...{ host: '127.0.0.1', port: port(), method, path },
    headers: { host: `vedette.localhost:${port()}`, 'content-type': 'application/json', ...headers },
  });
  const response = new Promise<{ status: number; message: string }>((resolve, reject) => {
    outgoing.once('error', reject).once('response', async (incoming) => {
      const received = await text(incoming);
      expect(incoming.headers['access-control-allow-origin']).toBeUndefined();
      const message = received === '' ? '' : JSON.parse(received).message;
      resolve({ status: incoming.statusCode ?? 0, message });
    });
  });
  outgoing.end(body && JSON.stringify(body));
  return response;
}

const cookie = () => ({ cookie: `other=1; __Host-vedette=${session}` });
const profile = '/api/v2/UserProfile';
const get = async (headers: Record<string, string>) =>
  (await send('GET', profile, { ...cookie(), ...headers })).status;
const post = async (headers: Record<string, string>) =>
  (await send('POST', '/api/v2/AuditLogs/search', { ...cookie(), ...headers }, {})).status;
const own = () => `http://vedette.localhost:${port()}`;

describe('a request with the session cookie', () => {
  test('passes with Sec-Fetch-Site: same-origin only', async () => {
    expect(await get({ 'sec-fetch-site': 'same-origin' })).toBe(200);
    expect(await post({ 'sec-fetch-site': 'same-origin' })).toBe(200);
    for (const site of ['same-site', 'cross-site', 'none', 'Same-Origin, same-origin']) {
      expect(await get({ 'sec-fetch-site': site }), site).toBe(403);
      expect(await post({ 'sec-fetch-site': site, origin: own() }), site).toBe(403);
    }
  });

  test('passes without it if the Origin of everything but GET is our own', async () => {
    expect(await get({})).toBe(200);
    expect(await post({})).toBe(403);
    expect(await post({ origin: own() })).toBe(200);
    // As by a proxy that terminates TLS.
    expect(await post({ host: 'vedette.example', origin: 'https://vedette.example' })).toBe(200);
    for (const origin of [
      'null',
      'https://evil.example',
      'http://localhost:3000',
      `https://vedette.localhost:${port()}`,
      `http://vedette.localhost:${port() + 1}`,
      `${own()}.evil.example`,
    ])
      expect(await post({ origin }), origin).toBe(403);
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const { status } = await send(method, '/api/v2/AlertRules/x', { ...cookie(), origin: 'null' });
      expect([403, 404, 405], method).toContain(status);
      expect((await send('DELETE', '/session', { ...cookie(), origin: 'null' })).status).toBe(403);
    }
  });

  test('needs a Host of ours, which rebound names are not', async () => {
    const site = { 'sec-fetch-site': 'same-origin' };
    for (const host of ['localhost', 'LOCALHOST:1', 'a.localhost', '127.0.0.1:80', '127.9.9.9', '[::1]:8480'])
      expect(await get({ ...site, host }), host).toBe(200);
    expect(await get({ ...site, host: 'vedette.example' })).toBe(200);
    for (const host of [
      'evil.example',
      'localhost.evil.example',
      'vedette.example.evil.example',
      '10.0.0.1',
    ]) {
      const { status, message } = await send('GET', profile, { ...cookie(), ...site, host });
      expect([status, message], host).toEqual([
        403,
        'The console is not available under this host name: open https://vedette.example, or set VEDETTE_PUBLIC_URL to the address that you use.',
      ]);
    }
  });

  test('ignores the cookie if it has Authorization', async () => {
    const token = await service.token();
    expect(await get({ 'sec-fetch-site': 'cross-site', authorization: `Bearer ${token}` })).toBe(200);
    expect(await get({ 'sec-fetch-site': 'same-origin', authorization: 'Bearer wrong' })).toBe(401);
    expect(await get({ 'sec-fetch-site': 'same-origin', authorization: '' })).toBe(401);
  });

  test('carries JSON only', async () => {
    const form = { ...cookie(), 'sec-fetch-site': 'same-origin', 'content-type': 'text/plain' };
    expect((await send('POST', '/api/v2/AuditLogs/search', form, {})).status).toBe(400);
  });
});

describe('a sign-in', () => {
  const signIn = (headers: Record<string, string>) => send('POST', '/session/link', headers, { code: 'x' });

  test('is accepted from our own page only', async () => {
    expect((await signIn({ origin: own() })).status).toBe(401);
    expect((await signIn({ 'sec-fetch-site': 'same-origin', origin: own() })).status).toBe(401);
    const refused = [
      {},
      { origin: 'https://evil.example' },
      { origin: 'http://localhost:3000' },
      { 'sec-fetch-site': 'same-site', origin: own() },
      { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
    ];
    for (const headers of refused) expect((await signIn(headers)).status, JSON.stringify(headers)).toBe(403);
  });

  test('needs HTTPS under a name that is not loopback, and says what to set', async () => {
    const { status, message } = await signIn({ host: 'vedette.example', origin: 'http://vedette.example' });
    expect(status).toBe(403);
    expect(message).toContain('VEDETTE_TLS=self');
    expect((await signIn({ host: 'vedette.example', origin: 'https://vedette.example' })).status).toBe(401);
    const foreign = { host: 'evil.example', origin: 'https://evil.example' };
    expect((await signIn(foreign)).message).toContain('VEDETTE_PUBLIC_URL');
  });
});
