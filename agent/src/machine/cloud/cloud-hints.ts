import type { HostFiles } from '../../host/host-files.ts';
import { valueOr } from '../../reading.ts';
import { readAws } from './aws.ts';
import { readAzure } from './azure.ts';
import type { ReadInstance } from './cloud-instance.ts';
import { readGcp } from './gcp.ts';

const vendors: readonly (readonly [pattern: RegExp, clouds: readonly ReadInstance[]])[] = [
  [/amazon|\bec2/i, [readAws]],
  [/google/i, [readGcp]],
  [/microsoft/i, [readAzure]],
  // The older instances of AWS.
  [/xen/i, [readAws]],
];

/** The clouds that the host may be in, by what its firmware says of its vendor; all if that is unknown. */
export async function possibleClouds(files: HostFiles): Promise<readonly ReadInstance[]> {
  const names = ['sys_vendor', 'product_name', 'bios_vendor', 'board_vendor'];
  const texts = await Promise.all(names.map((name) => files.text(`/sys/class/dmi/id/${name}`, 4_096)));
  const said = texts.map((text) => valueOr(text, '').trim()).filter(Boolean);
  if (said.length === 0) return [readAws, readGcp, readAzure];
  return vendors.find(([pattern]) => said.some((text) => pattern.test(text)))?.[1] ?? [];
}
