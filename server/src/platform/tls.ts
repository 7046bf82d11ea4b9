import { generateKeyPairSync, randomBytes, X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { pki } from 'node-forge';
import { writePrivateFile } from './private-file.ts';

export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

const day = 86_400_000;
const authorityLifetime = 3650 * day;
/** Some clients reject longer lifetimes. */
const certificateLifetime = 397 * day;
const renewBefore = 30 * day;

export function readTlsFiles(certificateFile: string, keyFile: string): TlsFiles {
  return { cert: readFileSync(certificateFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
}

export function authorityFile(dataDirectory: string): string {
  return join(dataDirectory, 'tls', 'ca.pem');
}

/**
 * Creates a certificate authority in `<data>/tls` and a server certificate from it. The authority is permanent, so that
 * clients keep trusting it; the certificate is renewed before it expires or when a host name is added.
 */
export async function selfSignedTls(
  dataDirectory: string,
  names: readonly string[],
  now: number,
): Promise<TlsFiles> {
  const folder = join(dataDirectory, 'tls');
  const files = { authority: authorityFile(dataDirectory), authorityKey: join(folder, 'ca.key') };
  const [certificateFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const hostNames = [
    ...new Set(['localhost', 'vedette.localhost', '127.0.0.1', '::1', hostname().toLowerCase(), ...names]),
  ].filter(isCertifiable);
  if (existsSync(certificateFile) && isUsable(readFileSync(certificateFile, 'utf8'), hostNames, now)) {
    return readTlsFiles(certificateFile, keyFile);
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Loaded lazily: most servers never create a certificate.
  const { default: forge } = await import('node-forge');
  const subject = (name: string) => [{ name: 'commonName', value: name }];
  const issue = (
    keys: KeyPems,
    authority: { name: string; keyPem: string },
    name: string,
    lifetime: number,
    extensions: object[],
  ) => {
    const certificate = forge.pki.createCertificate();
    certificate.publicKey = forge.pki.publicKeyFromPem(keys.publicKey);
    certificate.serialNumber = newSerialNumber();
    certificate.validity.notBefore = new Date(now - day);
    certificate.validity.notAfter = new Date(now + lifetime);
    certificate.setSubject(subject(name));
    certificate.setIssuer(subject(authority.name));
    certificate.setExtensions([...extensions, { name: 'subjectKeyIdentifier' }]);
    certificate.sign(
      forge.pki.privateKeyFromPem(authority.keyPem) as pki.rsa.PrivateKey,
      forge.md.sha256.create(),
    );
    return forge.pki.certificateToPem(certificate);
  };
  const authorityName = 'Vedette self-made authority';
  if (!existsSync(files.authority)) {
    const keys = newKeys();
    writePrivateFile(files.authorityKey, keys.privateKey);
    const extensions = [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ];
    const authority = { name: authorityName, keyPem: keys.privateKey };
    writePrivateFile(files.authority, issue(keys, authority, authorityName, authorityLifetime, extensions));
  }
  const keys = newKeys();
  const altNames = hostNames.map((name) => (isIP(name) ? { type: 7, ip: name } : { type: 2, value: name }));
  const certificate = issue(
    keys,
    { name: authorityName, keyPem: readFileSync(files.authorityKey, 'utf8') },
    'Vedette',
    certificateLifetime,
    [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, keyEncipherment: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames },
    ],
  );
  writePrivateFile(keyFile, keys.privateKey);
  writePrivateFile(certificateFile, certificate);
  return { cert: certificate, key: keys.privateKey };
}

interface KeyPems {
  readonly publicKey: string;
  readonly privateKey: string;
}

function newKeys(): KeyPems {
  return generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
}

function isUsable(pem: string, names: readonly string[], now: number): boolean {
  const certificate = new X509Certificate(pem);
  const covers = (name: string) =>
    (isIP(name) ? certificate.checkIP(name) : certificate.checkHost(name)) !== undefined;
  return Date.parse(certificate.validTo) - now > renewBefore && names.every(covers);
}

/** The wildcard addresses are not names that a client connects to. */
function isCertifiable(name: string): boolean {
  return name !== '' && name !== '0.0.0.0' && name !== '::';
}

/** Strict parsers require a positive integer in its shortest form: the top bit clear, and no leading zero byte. */
export function newSerialNumber(): string {
  const bytes = randomBytes(16);
  bytes.writeUInt8(((bytes[0] as number) & 0x3f) | 0x40);
  return bytes.toString('hex');
}
