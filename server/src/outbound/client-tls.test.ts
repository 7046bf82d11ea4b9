import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { authorityFile, selfSignedTls, type TlsFiles } from '../platform/tls.ts';
import { BulkOutbound, type ClientTls } from './bulk-outbound.ts';

const directory = mkdtempSync(join(tmpdir(), 'vedette-client-tls-'));
const root = new BulkOutbound({ allowsPrivate: true });
let server: Server;
let port = 0;
let files: TlsFiles;
let authority: string;
beforeAll(async () => {
  files = await selfSignedTls(directory, ['cluster.example'], Date.now());
  authority = readFileSync(authorityFile(directory), 'utf8');
  // Its own authority signs the certificates of its clients, as in a cluster.
  server = createServer(
    { ...files, ca: authority, requestCert: true, rejectUnauthorized: false },
    (request, response) => {
      response.end(`${(request.socket as TLSSocket).getPeerCertificate().subject?.CN ?? 'nobody'}`);
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(async () => {
  await root.close();
  server.close();
  rmSync(directory, { recursive: true });
});

const get = async (tls: ClientTls, host = '127.0.0.1') => {
  const reply = await root.withTls(tls).fetch({ method: 'GET', url: `https://${host}:${port}/` });
  return reply.body.toString();
};

describe('the bulk client with TLS settings', () => {
  test('trusts the given authority only', async () => {
    await expect(get({})).rejects.toThrow(/failed \(\w*(?:SIGNATURE|ISSUER|SELF_SIGNED)\w*\)/);
    expect(await get({ authority })).toBe('nobody');
    expect(await get({ authority }, 'localhost')).toBe('nobody');
  });

  test('accepts any certificate if told to', async () => {
    expect(await get({ acceptsAnyCertificate: true })).toBe('nobody');
  });

  test('identifies itself by a certificate', async () => {
    expect(await get({ authority, certificate: files.cert, key: files.key })).toBe('Vedette');
  });

  test('compares the certificate with another name than that of the address', async () => {
    expect(await get({ authority, serverName: 'cluster.example' })).toBe('nobody');
    await expect(get({ authority, serverName: 'other.example' })).rejects.toThrow('ERR_TLS_CERT_ALTNAME');
  });

  test('fails on a key that is none', async () => {
    const certificate = '-----BEGIN CERTIFICATE-----\nno\n-----END CERTIFICATE-----\n';
    await expect(get({ authority, certificate, key: 'no' })).rejects.toThrow(/failed \(ERR_/);
  });

  test('keeps the guard, and is closed with the client that it comes from', async () => {
    const guarded = new BulkOutbound({ allowsPrivate: false });
    const url = `https://127.0.0.1:${port}/`;
    const refusal = guarded.withTls({ acceptsAnyCertificate: true }).fetch({ method: 'GET', url });
    await expect(refusal).rejects.toThrow('127.0.0.1 is not a public address.');
    const parent = new BulkOutbound({ allowsPrivate: true });
    const derived = parent.withTls({ authority });
    await derived.fetch({ method: 'GET', url });
    await parent.close();
    await expect(derived.fetch({ method: 'GET', url })).rejects.toThrow('UND_ERR_DESTROYED');
  });
});
