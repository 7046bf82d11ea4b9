import type { Host } from '../host/host.ts';
import type { Observation, Source } from '../source.ts';
import { isInternal } from './address.ts';
import type { MachineReader } from './machine-facts.ts';

/** Reports the network interfaces of the host and its private addresses. */
export class InterfacesSource implements Source {
  readonly name = 'interfaces';
  readonly interval = 60_000;
  readonly #reader: MachineReader;

  constructor(reader: MachineReader) {
    this.#reader = reader;
  }

  /** What of the network can not be read is a gap of the source `machine`. */
  async observe(host: Host): Promise<Observation> {
    const { interfaces } = (await this.#reader.read(host)).network;
    const pairs = interfaces.flatMap(({ name, hwAddr, addresses }) =>
      addresses.map((ipAddr) => ({ name, hwAddr, ipAddr })),
    );
    const internal = new Set(pairs.map(({ ipAddr }) => ipAddr).filter(isInternal));
    return {
      records: {
        'Entities/NetworkInterfaces': pairs,
        'Entities/InternalIPAddresses': [...internal].map((ipAddr) => ({ ipAddr })),
      },
      gaps: [],
    };
  }
}
