import type { Host } from '../host/host.ts';
import { countLoggedIn } from '../logins/logged-in.ts';
import type { Observed } from '../source.ts';
import type { MachineReader } from './machine-facts.ts';
import { primaryTags } from './tags.ts';

/** The properties of the host in the records of its applications. */
export async function machineProperties(host: Host, reader: MachineReader): Promise<Observed> {
  const { hostname, network, memoryKilobytes, bootedAt, tags } = await reader.read(host);
  const users = await countLoggedIn(host.files);
  return {
    ...(hostname !== undefined && { hostname }),
    ...(network.primaryAddress !== undefined && { ip_addr: network.primaryAddress }),
    ...(memoryKilobytes !== undefined && { mem_kbytes: memoryKilobytes }),
    ...(users !== undefined && { num_users: users }),
    primary_tags: primaryTags(tags),
    ...(bootedAt !== undefined && { up_time: Math.max(0, Math.floor((host.now() - bootedAt) / 1_000)) }),
    tags,
  };
}
