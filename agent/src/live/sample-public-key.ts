import { createHash, randomBytes } from 'node:crypto';

export interface SamplePublicKey {
  /** A line of authorized_keys. */
  readonly line: string;
  /** As `ssh-keygen -l` prints it. */
  readonly fingerprint: string;
}

/** A public key in the wire format, of random numbers of these sizes: current versions of ssh-keygen create no DSA keys. */
export function samplePublicKey(algorithm: string, sizes: readonly number[]): SamplePublicKey {
  const parts = [Buffer.from(algorithm), ...sizes.map((size) => randomBytes(size))];
  const blob = Buffer.concat(
    parts.flatMap((part) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(part.length);
      return [length, part];
    }),
  );
  const digest = createHash('sha256').update(blob).digest('base64').replace(/=+$/, '');
  return { line: `${algorithm} ${blob.toString('base64')} test\n`, fingerprint: `SHA256:${digest}` };
}
