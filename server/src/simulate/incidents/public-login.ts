import { userLogins } from '../../telemetry/datasets/UserLogins.ts';
import { hostileAddresses } from '../company/addresses.ts';
import { machineOf } from '../company/company.ts';
import { sessionRecords } from '../streams/logins.ts';
import type { Incident } from './incident.ts';

export const publicLogin: Incident = {
  name: 'SSH login as root from a public address',
  generate({ company, instant, random }) {
    const machine = machineOf(company, 'bastion', random);
    const session = { username: 'root', uid: 0, sourceIpAddr: random.pick(hostileAddresses) };
    return [[userLogins, ...sessionRecords(machine, session, instant, instant + 240_000)]];
  },
};
