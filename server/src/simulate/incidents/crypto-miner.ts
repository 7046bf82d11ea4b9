import { applications } from '../../telemetry/datasets/Applications.ts';
import { connections } from '../../telemetry/datasets/Connections.ts';
import { dnss } from '../../telemetry/datasets/DNSs.ts';
import { syscallsExec } from '../../telemetry/datasets/LW_HA_SYSCALLS_EXEC.ts';
import { processes } from '../../telemetry/datasets/Processes.ts';
import { hostileAddresses } from '../company/addresses.ts';
import { machineOf } from '../company/company.ts';
import { childOf, process } from '../company/process.ts';
import { applicationRecord } from '../streams/applications.ts';
import { connectionRecord, toAddress } from '../streams/connections.ts';
import { lookupRecord } from '../streams/lookups.ts';
import { execRecord, processRecord } from '../streams/processes.ts';
import type { Incident } from './incident.ts';

const pool = 'pool.mining.example';
const cmdline = `/tmp/.x/xmrig -o stratum+tcp://${pool}:3333 -u 48edfHu7V9Z84YzzMa6fUueoELZ9ZRXq9 --cpu-priority 5`;

export const cryptoMiner: Incident = {
  name: 'crypto-miner',
  generate({ company, hour, instant, random }) {
    const machine = machineOf(company, 'worker', random);
    const miner = process(
      {
        ...{ name: 'xmrig', pid: random.between(8_000, 19_000), cmdline, port: undefined },
        ...childOf(machine.processes[0]),
        ...{ user: 'shop', uid: 998, startedAt: instant },
      },
      random,
    );
    const address = random.pick(hostileAddresses);
    const flow = toAddress(machine, miner, address, 3333, 'TCP');
    return [
      [syscallsExec, execRecord(machine, miner, '/usr/bin/bash')],
      [processes, processRecord(machine, miner, hour)],
      [applications, { ...hour.window, ...applicationRecord(machine, miner, hour, random) }],
      [dnss, lookupRecord(machine.mid, pool, address, instant + 200, 60)],
      [connections, connectionRecord(flow, hour, 3, random)],
    ];
  },
};
