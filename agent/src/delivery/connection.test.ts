import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createProxy } from 'node:http';
import { createServer, type Server } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { authorityFile, selfSignedTls } from '@vedette/server/platform/tls';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Connection, type ConnectionOptions } from './connection.ts';

let directory: string;
let server: Server;
let url: string;
let demandsCertificate: boolean;
const opened: Connection[] = [];
const signal = new AbortController().signal;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'vedette-tls-'));
  demandsCertificate = false;
  const files = await selfSignedTls(directory, [], Date.now());
  server = createServer(
    { ...files, requestCert: true, rejectUnauthorized: false },
    async (request, response) => {
      const { subject } =
        (request.socket as { getPeerCertificate?: () => { subject?: object } }).getPeerCertificate?.() ?? {};
      const isKnown = subject !== undefined && Object.keys(subject).length > 0;
      response.statusCode = demandsCertificate && !isKnown ? 403 : 200;
      response.end(`${request.url} ${await text(request)}`);
    },
  );
  url = `https://localhost:${await listening(server)}`;
});
afterEach(async () => {
  for (const connection of opened.splice(0)) connection.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(directory, { recursive: true });
});

async function listening(of: {
  listen(port: number, host: string, done: () => void): unknown;
  address(): unknown;
}) {
  await new Promise<void>((resolve) => of.listen(0, '127.0.0.1', resolve));
  return (of.address() as AddressInfo).port;
}

function post(options: Partial<ConnectionOptions> = {}) {
  const connection = new Connection({
    url,
    environment: {},
    authorityFile: authorityFile(directory),
    ...options,
  });
  opened.push(connection);
  return connection.post('/ingest/v1/Entities/Users', Buffer.from('{}'), {}, signal);
}

test('a server is trusted by its certificate authority only', async () => {
  expect(await post()).toMatchObject({ status: 200, text: '/ingest/v1/Entities/Users {}' });
  await expect(post({ authorityFile: undefined })).rejects.toThrow(/certificate/);
});

test('a client certificate is shown to a server that demands one', async () => {
  demandsCertificate = true;
  expect((await post()).status).toBe(403);
  const [certificateFile, keyFile] = [join(directory, 'tls/cert.pem'), join(directory, 'tls/key.pem')];
  expect((await post({ certificateFile, keyFile })).status).toBe(200);
});

test('a proxy tunnels to the server, with its credentials', async () => {
  const asked: string[] = [];
  const proxy = createProxy().on('connect', (request, socket) => {
    asked.push(`${request.url} ${request.headers['proxy-authorization']}`);
    const [, port] = (request.url ?? '').split(':');
    const target = connect(Number(port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.pipe(target).pipe(socket);
    });
    socket.on('error', () => target.destroy());
    target.on('error', () => socket.destroy());
  });
  const port = await listening(proxy);
  const HTTPS_PROXY = `http://user:p%40ss@127.0.0.1:${port}`;
  expect(await post({ environment: { HTTPS_PROXY } })).toMatchObject({ status: 200 });
  const credentials = Buffer.from('user:p@ss').toString('base64');
  expect(asked).toEqual([`${new URL(url).host} Basic ${credentials}`]);
  expect(await post({ environment: { HTTPS_PROXY, NO_PROXY: 'example.com,localhost' } })).toMatchObject({
    status: 200,
  });
  expect(asked).toHaveLength(1);
  for (const connection of opened.splice(0)) connection.close();
  proxy.closeAllConnections();
  await new Promise((resolve) => proxy.close(resolve));
});

test('a proxy that refuses is named', async () => {
  const proxy = createProxy((_, response) => response.end()).on('connect', (_, socket) => {
    socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
  });
  const port = await listening(proxy);
  await expect(post({ environment: { HTTPS_PROXY: `127.0.0.1:${port}` } })).rejects.toThrow(
    `The proxy 127.0.0.1:${port} refuses a connection to ${new URL(url).host} with 407.`,
  );
  await new Promise((resolve) => proxy.close(resolve));
});

test('plain HTTP goes through a proxy with the whole URL', async () => {
  const proxy = createProxy((request, response) => response.end(request.url));
  const port = await listening(proxy);
  const environment = { http_proxy: `http://127.0.0.1:${port}` };
  const answer = await post({ url: 'http://vedette.internal:8080', environment });
  expect(answer.text).toBe('http://vedette.internal:8080/ingest/v1/Entities/Users');
  for (const connection of opened.splice(0)) connection.close();
  await new Promise((resolve) => proxy.close(resolve));
});

test('an endless answer is refused', async () => {
  const endless = createProxy((_, response) => {
    const write = () => {
      while (response.write('x'.repeat(65_536)));
      response.once('drain', write);
    };
    write();
  });
  const port = await listening(endless);
  await expect(post({ url: `http://127.0.0.1:${port}` })).rejects.toThrow('too large');
  endless.closeAllConnections();
  await new Promise((resolve) => endless.close(resolve));
});
