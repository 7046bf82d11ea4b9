import { generateKeyPairSync } from 'node:crypto';
import { newSerialNumber } from '../../platform/tls.ts';

/** A client's certificate with its key, and the authority that signed it. */
export interface IssuedCertificate {
  readonly certificate: string;
  readonly key: string;
  readonly authority: string;
}

const day = 86_400_000;

/** As a cluster issues them to its users: the common name is the user. */
export async function clientCertificate(name: string, now: number): Promise<IssuedCertificate> {
  const { default: forge } = await import('node-forge');
  const newKeys = () =>
    generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    });
  const [signer, own] = [newKeys(), newKeys()];
  const issue = (publicKey: string, subject: string, extensions: object[]) => {
    const certificate = forge.pki.createCertificate();
    certificate.publicKey = forge.pki.publicKeyFromPem(publicKey);
    certificate.serialNumber = newSerialNumber();
    certificate.validity.notBefore = new Date(now - day);
    certificate.validity.notAfter = new Date(now + day);
    certificate.setSubject([{ name: 'commonName', value: subject }]);
    certificate.setIssuer([{ name: 'commonName', value: 'sample cluster' }]);
    certificate.setExtensions(extensions);
    certificate.sign(forge.pki.privateKeyFromPem(signer.privateKey), forge.md.sha256.create());
    return forge.pki.certificateToPem(certificate);
  };
  const authority = issue(signer.publicKey, 'sample cluster', [
    { name: 'basicConstraints', cA: true, critical: true },
  ]);
  const certificate = issue(own.publicKey, name, [{ name: 'extKeyUsage', clientAuth: true }]);
  return { certificate, key: own.privateKey, authority };
}
