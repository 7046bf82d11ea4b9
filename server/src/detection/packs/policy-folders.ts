import { readFile } from 'node:fs/promises';
import { PolicyFamily } from './family.ts';

/** The files of a policy: its own, or those of its family with its values. */
export interface PolicyFiles {
  /** Path in the packs: cloud, service, policy. */
  readonly folder: string;
  /** The folder that holds the files. */
  readonly place: string;
  read(file: string): Promise<string | undefined>;
}

/** Finds the policies among the files of the packs. */
export async function policyFolders(root: URL, files: ReadonlySet<string>): Promise<PolicyFiles[]> {
  const places = foldersWith('policy.yaml', files);
  const readIn = (place: string) => (file: string) =>
    files.has(`${place}/${file}`) ? readFile(new URL(`${place}/${file}`, root), 'utf8') : undefined;
  const found = places.map(async (place): Promise<PolicyFiles[]> => {
    const read = async (file: string) => readIn(place)(file);
    const entries = await read('entries.yaml');
    if (entries === undefined) return [{ folder: place, place, read }];
    const family = new PolicyFamily(place, entries);
    return family.names.map((entry) => ({
      ...{ folder: `${place}/${entry}`, place },
      read: async (file) => {
        const template = await read(file);
        return template === undefined ? undefined : family.expand(entry, template);
      },
    }));
  });
  return (await Promise.all(found)).flat();
}

/** The folders that have the file, sorted. */
export function foldersWith(file: string, files: ReadonlySet<string>): string[] {
  const suffix = `/${file}`;
  return [...files]
    .filter((name) => name.endsWith(suffix))
    .map((name) => name.slice(0, -suffix.length))
    .sort();
}
