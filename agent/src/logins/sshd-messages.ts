import { isIP } from 'node:net';

/** What sshd logged of a session. */
export type SshdMessage =
  | {
      readonly is: 'accepted';
      readonly user: string;
      readonly address: string;
      /** `ED25519`, if a key was used. */
      readonly keyType?: string;
      /** `SHA256:…` */
      readonly fingerprint?: string;
    }
  | { readonly is: 'closed'; readonly user: string };

const accepted = /^Accepted (\S+) for (.{1,256}?) from (\S+) port \d+(?: ssh2)?(?:: (.*))?$/;
/** Certificates are followed by their id, which may contain anything. */
const key = /^([A-Z0-9-]+) (SHA256:[A-Za-z0-9+/]{43}|(?:MD5:)?[0-9a-f:]{47})/;
const closed = /^pam_unix\(sshd:session\): session closed for user (\S{1,256})$/;

/** Undefined for all other messages. */
export function parseSshdMessage(message: string): SshdMessage | undefined {
  const [, user] = closed.exec(message) ?? [];
  if (user !== undefined) return { is: 'closed', user };
  const [, , name, from, detail = ''] = accepted.exec(message) ?? [];
  const address = from?.split('%')[0];
  if (name === undefined || address === undefined || isIP(address) === 0) return undefined;
  const [, keyType, fingerprint] = key.exec(detail) ?? [];
  return {
    ...{ is: 'accepted', user: name, address },
    ...(keyType !== undefined && fingerprint !== undefined && { keyType, fingerprint }),
  };
}
