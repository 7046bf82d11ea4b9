import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { authorityFile, newSerialNumber, selfSignedTls } from './tls.ts';

const day = 86_400_000;
let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'vedette-tls-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe('self-signed TLS', () => {
  test('is accepted by a client that trusts the authority, by name and by address', async () => {
    const server = createServer(
      await selfSignedTls(directory, ['vedette.example.com'], Date.now()),
      (_, response) => {
        response.end('secure');
      },
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const connect = (servername: string, ca: Buffer | undefined) =>
      new Promise<string>((resolve, reject) => {
        const options = { host: '127.0.0.1', port, servername, ca, agent: false };
        request(options, (response) => response.on('data', (chunk) => resolve(String(chunk))))
          .on('error', reject)
          .end();
      });
    const authority = readFileSync(authorityFile(directory));
    expect(await connect('localhost', authority)).toBe('secure');
    expect(await connect('vedette.example.com', authority)).toBe('secure');
    await expect(connect('other.example.com', authority)).rejects.toThrow(/altnames/);
    await expect(connect('localhost', undefined)).rejects.toThrow(/certificate/);
    const byAddress = await fetchByAddress(port, authority);
    expect(byAddress).toBe('secure');
    server.close();
  });

  test('uses serial numbers that strict parsers accept: positive, without leading zeros', () => {
    for (let count = 0; count < 1_000; count++) expect(newSerialNumber()).toMatch(/^[4-7][0-9a-f]{31}$/);
  });

  test('restricts its files to the owner', async () => {
    await selfSignedTls(directory, [], Date.now());
    for (const file of ['ca.key', 'key.pem', 'ca.pem', 'cert.pem']) {
      expect(statSync(join(directory, 'tls', file)).mode & 0o777).toBe(0o600);
    }
  });

  test('renews the certificate before it expires or for a new name, and never the authority', async () => {
    const now = Date.now();
    const first = await selfSignedTls(directory, [], now);
    expect(await selfSignedTls(directory, [], now + 300 * day)).toEqual(first);
    const authority = readFileSync(authorityFile(directory), 'utf8');
    const renewed = await selfSignedTls(directory, [], now + 370 * day);
    expect(renewed.cert).not.toBe(first.cert);
    const renamed = await selfSignedTls(directory, ['new.example.com'], now + 371 * day);
    expect(new X509Certificate(renamed.cert).checkHost('new.example.com')).toBe('new.example.com');
    expect(readFileSync(authorityFile(directory), 'utf8')).toBe(authority);
    expect(new X509Certificate(renamed.cert).verify(new X509Certificate(authority).publicKey)).toBe(true);
  });
});

function fetchByAddress(port: number, ca: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, ca, agent: false }, (response) =>
      response.on('data', (chunk) => resolve(String(chunk))),
    )
      .on('error', reject)
      .end();
  });
}
