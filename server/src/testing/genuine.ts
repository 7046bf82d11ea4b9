import { createHash, createHmac, verify } from 'node:crypto';
import { expect } from 'vitest';
import { tokenEndpoint } from '../outbound/google/token-endpoint.ts';
import type { Received } from './receiver.ts';
import { awsSecrets, googleKey } from './transports.ts';

/** Verifies signatures as the receiver would, from the received request and the shared secret. */
export function expectGenuine(received: Received): void {
  if (received.headers.authorization?.startsWith('AWS4-')) expectAwsSignature(received);
  if (received.body.includes('assertion=')) expectGoogleAssertion(received);
}

/** https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html */
function expectAwsSignature({ method, url, headers, bytes }: Received): void {
  const pattern =
    /^AWS4-HMAC-SHA256 Credential=(\w+)\/(\d{8})\/([\w-]+)\/(\w+)\/aws4_request, SignedHeaders=([\w;-]+), Signature=(\w{64})$/;
  const [, keyId = '', day = '', region = '', service = '', names = '', signature] =
    pattern.exec(String(headers.authorization)) ?? [];
  expect(names.split(';')).toEqual(expect.arrayContaining(['host', 'x-amz-date']));
  expect(headers['x-amz-content-sha256']).toBe(sha256(bytes));
  const { host, pathname, searchParams } = new URL(url);
  if (host.endsWith('.amazonaws.com'))
    expect(host).toMatch(new RegExp(`(^|\\.)${service}\\.${region}\\.amazonaws`));
  const query = [...searchParams].map((pair) => pair.map(encodeURIComponent).join('=')).sort();
  const canonical = [
    ...[method, pathname.split('/').map(uriEncoded).join('/'), query.join('&')],
    ...names.split(';').map((name) => `${name}:${headers[name]?.trim()}`),
    ...['', names, sha256(bytes)],
  ];
  const scope = `${day}/${region}/${service}/aws4_request`;
  const stringToSign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical.join('\n'))].join(
    '\n',
  );
  const key = [day, region, service, 'aws4_request'].reduce<string | Buffer>(
    (above, part) => createHmac('sha256', above).update(part).digest(),
    `AWS4${awsSecrets[keyId]}`,
  );
  expect(signature).toBe(createHmac('sha256', key).update(stringToSign).digest('hex'));
}

/** The path encoding of S3; other services use the root path. */
function uriEncoded(part: string): string {
  const encoded = encodeURIComponent(decodeURIComponent(part));
  return encoded.replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** https://developers.google.com/identity/protocols/oauth2/service-account#httprest */
function expectGoogleAssertion({ url, body }: Received): void {
  const form = new URLSearchParams(body);
  expect(form.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer');
  const [header = '', claims = '', signature = ''] = String(form.get('assertion')).split('.');
  const signed = Buffer.from(`${header}.${claims}`);
  expect(verify('RSA-SHA256', signed, googleKey.publicKey, Buffer.from(signature, 'base64url'))).toBe(true);
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
  expect(read(header)).toMatchObject({ alg: 'RS256', typ: 'JWT', kid: expect.any(String) });
  const { iat, exp, ...rest } = read(claims);
  expect(rest).toEqual({ iss: expect.stringContaining('@'), scope: expect.any(String), aud: tokenEndpoint });
  expect([url, exp - iat]).toEqual([tokenEndpoint, 3_600]);
}

function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
