import { userLogins } from '../../telemetry/datasets/UserLogins.ts';
import type { Machine } from '../company/machine.ts';
import type { SshKey } from '../company/ssh-keys.ts';
import { isoTimestamp, millisecondsPerHour } from '../hour.ts';
import { hourly } from '../stream.ts';

interface Session {
  readonly username: string;
  readonly uid: number;
  readonly sourceIpAddr: string;
  /** Hostname of the address, if any. */
  readonly hostname?: string;
  readonly key?: SshKey;
}

/** The login and logoff of a session. */
export function sessionRecords(
  { mid }: Machine,
  { username, uid, sourceIpAddr, hostname, key }: Session,
  from: number,
  to: number,
) {
  const event = (activityType: string, instant: number) => ({
    createdTime: isoTimestamp(instant),
    activityTime: isoTimestamp(instant),
    activityType,
    ...{ mid, username, uid, gid: uid, sourceIpAddr, hostname, tty: 'pts/0', ...key },
  });
  return [event('LOGIN', from), event('LOGOFF', to)];
}

/** Sessions on the bastion come from workstations, those on other hosts from the bastion. */
export const loginStream = hourly(userLogins, function* (machine, { start, load }, random, company) {
  const gate = company.machines.find(({ role }) => role.name === 'bastion');
  const isGate = machine === gate;
  for (const person of machine.people) {
    if (!random.chance(load * (isGate ? 0.25 : 0.02))) continue;
    const from = start + random.below(millisecondsPerHour / 2);
    const origin = isGate || !gate ? { address: person.address, hostname: `${person.login}.office` } : gate;
    const session = {
      username: person.login,
      uid: person.uid,
      sourceIpAddr: origin.address,
      hostname: origin.hostname,
      key: person.key,
    };
    yield* sessionRecords(machine, session, from, from + random.between(60_000, millisecondsPerHour / 2));
  }
});
