import { authorizedKeys } from '../../telemetry/datasets/LW_HE_ACCESS_SSH_AUTHORIZED_KEYS.ts';
import { secrets } from '../../telemetry/datasets/LW_HE_SECRETS_ALL.ts';
import type { Machine } from '../company/machine.ts';
import { colonSeparated, type SshKey, sshKey } from '../company/ssh-keys.ts';
import { isoTimestamp } from '../hour.ts';
import { type Stream, snapshots } from '../stream.ts';

function fileOf({ mid, hostname, bootAt }: Machine, filePath: string, ownerUid: number) {
  return {
    ...{
      mid,
      hostname,
      isInContainer: false,
      filePath,
      filePermissions: 0o600,
      ownerUid,
      ownerGid: ownerUid,
    },
    fileCreatedTime: isoTimestamp(bootAt),
    fileModifiedTime: isoTimestamp(bootAt),
    fileAccessedTime: isoTimestamp(bootAt + 60_000),
  };
}

/** The SSH host key, whose holder can impersonate the host. */
function hostKey(machine: Machine, type: SshKey['sshKeyType']) {
  const seed = `${machine.mid} ${type}`;
  return {
    ...fileOf(machine, `/etc/ssh/ssh_host_${type.toLowerCase()}_key`, 0),
    secretType: 'ssh_private_key',
    secretMetadata: { encrypted: false },
    ...sshKey(type, seed),
    fingerprintPkcs8Sha1: colonSeparated('sha1', seed),
    ...(type === 'RSA' && { fingerprintRsaMd5: colonSeparated('md5', `${seed} rsa`) }),
  };
}

export const secretStreams: readonly Stream[] = [
  snapshots(authorizedKeys, function* (machine, { cloud }) {
    const [login, seed] = [machine.role.os === 'ubuntu' ? 'ubuntu' : 'ec2-user', cloud.accountId];
    yield {
      ...fileOf(machine, `/home/${login}/.ssh/authorized_keys`, 1_000),
      ...sshKey('RSA', seed),
      fingerprintRsaMd5: colonSeparated('md5', `${seed} rsa`),
    };
    for (const { login, uid, key } of machine.people)
      yield { ...fileOf(machine, `/home/${login}/.ssh/authorized_keys`, uid), ...key };
  }),
  snapshots(secrets, function* (machine) {
    yield hostKey(machine, 'ED25519');
    yield hostKey(machine, 'RSA');
    for (const { id, image } of machine.containers) {
      if (image.namespace !== 'payments') continue;
      const file = { ...fileOf(machine, '/app/.env', image.uid), isInContainer: true };
      yield { ...file, secretType: 'generic_token', containerKey: { container_id: id } };
    }
  }),
];
