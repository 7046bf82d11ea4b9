import { samplePublicKey } from './sample-public-key.ts';
import { hostname, type ShopHost } from './shop-host.ts';
import type { HostSituation } from './situation.ts';

const path = '/home/ann/.ssh/authorized_keys';
const ordinary = samplePublicKey('ssh-ed25519', [32]);
const weak = samplePublicKey('ssh-dss', [128, 20, 128, 128]);
const authorize = (host: ShopHost) => void host.write(path, ordinary.line + weak.line);

/** The key that is authorized from the beginning. */
export function authorizeOrdinary(host: ShopHost): void {
  host.write(path, ordinary.line);
}

export const keySituations = {
  'host/file/authorized-keys-changed': {
    on: 'files',
    create: authorize,
    finding: `${path} modified on ${hostname}`,
  },
  'host/secret/weak-authorized-key': {
    on: 'files',
    create: authorize,
    finding: `DSA key ${weak.fingerprint} in ${path} on ${hostname}`,
  },
  'host/secret/private-key-readable': {
    on: 'files',
    create: (host) => host.mode('/home/ann/.ssh/id_ed25519', 0o644),
    finding: `/home/ann/.ssh/id_ed25519 (mode 0644) on ${hostname}`,
  },
} satisfies Readonly<Record<string, HostSituation>>;
