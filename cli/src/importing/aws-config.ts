import type { ImportFile } from './import-file.ts';
import type { Importer } from './importer.ts';

/** Each file is the snapshot of one region, taken in the order in which they were made. */
export const importAwsConfigFiles: Importer = async (files, { write, ignore }) => {
  const { importAwsConfig } = await import('@vedette/server/collect/aws/config-import');
  const inOrder = files.toSorted((a, b) => (timeInName(a) ?? 0) - (timeInName(b) ?? 0));
  for (const file of inOrder) {
    const content = await file.json();
    const { scopes, ignored, captured } = await file.explained(() => importAwsConfig(content));
    ignore(ignored);
    // A resource is recorded when it changes, which may be long before the snapshot.
    await write((timeInName(file) ?? captured) || undefined, async (snapshots) => {
      for (const { resources, problem, ...scope } of scopes) {
        snapshots.has(scope);
        for (const resource of resources) await snapshots.add(scope, resource);
        if (problem) snapshots.fail(scope, problem);
      }
    });
  }
};

/** `123456789012_Config_eu-west-1_ConfigSnapshot_20260301T100000Z_….json.gz`. */
function timeInName({ name }: ImportFile): number | undefined {
  const time = /_ConfigSnapshot_(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/.exec(name);
  if (!time) return undefined;
  const [year = 0, month = 1, ...rest] = time.slice(1).map(Number);
  const [day = 1, hour = 0, minute = 0, second = 0] = rest;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}
