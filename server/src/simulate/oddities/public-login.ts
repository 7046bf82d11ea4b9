import { userLogins } from '../../telemetry/datasets/UserLogins.ts';
import { hostileAddresses } from '../addresses.ts';
import { machineOf } from '../company.ts';
import { sessionRecords } from '../logins.ts';
import type { Oddity } from './oddity.ts';

export const publicLogin: Oddity = {
  name: 'SSH login as root from a public address',
  happen({ company, moment, random }) {
    const machine = machineOf(company, 'bastion', random);
    const session = { username: 'root', uid: 0, sourceIpAddr: random.pick(hostileAddresses) };
    return [[userLogins, ...sessionRecords(machine, session, moment, moment + 240_000)]];
  },
};
