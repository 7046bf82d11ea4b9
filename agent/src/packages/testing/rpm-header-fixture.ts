export interface RpmFixture {
  readonly name: string;
  readonly version: string;
  readonly release: string;
  readonly epoch?: number;
  readonly arch?: string;
  /** Bytes of a description before the architecture, and of file names after it. */
  readonly description?: number;
  readonly fileNames?: number;
}

type Entry = readonly [tag: number, type: number, data: Buffer];

/** A header as rpm stores it for an installed package. */
export function rpmHeaderOf(fixture: RpmFixture): Buffer {
  const { name, version, release, epoch, arch, description = 0, fileNames = 0 } = fixture;
  const string = (tag: number, value: string): Entry => [tag, 6, Buffer.from(`${value}\0`)];
  const int32 = (tag: number, value: number): Entry => {
    const data = Buffer.alloc(4);
    data.writeUInt32BE(value);
    return [tag, 4, data];
  };
  const entries: Entry[] = [
    string(100, 'C'),
    ...[string(1000, name), string(1001, version), string(1002, release)],
    ...(epoch === undefined ? [] : [int32(1003, epoch)]),
    string(1005, 'd'.repeat(description)),
    int32(1008, 1_700_000_000),
    ...(arch === undefined ? [] : [string(1022, arch)]),
    string(1117, 'f'.repeat(fileNames)),
  ];
  const [index, store]: [Buffer[], Buffer[]] = [[], []];
  let offset = 0;
  for (const [tag, type, data] of entries) {
    // Integers are aligned in the data store.
    const padding = type === 4 ? (4 - (offset % 4)) % 4 : 0;
    const entry = Buffer.alloc(16);
    [tag, type, offset + padding, 1].forEach((value, at) => void entry.writeUInt32BE(value, at * 4));
    index.push(entry);
    store.push(Buffer.alloc(padding), data);
    offset += padding + data.length;
  }
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32BE(index.length, 0);
  lengths.writeUInt32BE(offset, 4);
  return Buffer.concat([lengths, ...index, ...store]);
}
