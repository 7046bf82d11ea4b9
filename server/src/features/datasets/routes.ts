import type { Scanner } from '../../control/scan/scanner.ts';
import { datasetRoutes } from '../../families/dataset-routes.ts';
import type { Family } from '../../http/family.ts';
import type { Clock } from '../../platform/clock.ts';
import type { TelemetryDataset } from '../../telemetry/dataset.ts';
import { datasets } from '../../telemetry/datasets.ts';
import { recordSchema } from '../../telemetry/record-form.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';

const groups: Readonly<Record<string, string>> = {
  Activities: 'Activity on hosts.',
  Entities: 'Inventory of hosts.',
};

/** Every searchable dataset; its family is the first segment of its path. */
export const datasetFamilyRoutes = (deps: { telemetry: Telemetry; scanner: Scanner; clock: Clock }) => {
  const searchable = datasets.filter(({ search }) => search !== undefined);
  const families = new Map(searchable.map((dataset) => [familyOf(dataset), describe(dataset, searchable)]));
  return searchable.flatMap((dataset) =>
    datasetRoutes(dataset, { ...deps, family: families.get(familyOf(dataset)) as Family }),
  );
};

function familyOf({ path }: TelemetryDataset): string {
  return path.split('/')[0] as string;
}

/** A family is a single dataset, or a group with its datasets as subtypes. */
function describe(dataset: TelemetryDataset, all: readonly TelemetryDataset[]): Family {
  const name = familyOf(dataset);
  const description = groups[name];
  if (description === undefined) {
    return { name, description: dataset.description, record: recordSchema(dataset), isDataset: true };
  }
  const members = all.filter((candidate) => familyOf(candidate) === name);
  const subtypes = members.map((member) => [member.path.split('/')[1], recordSchema(member)]);
  return { name, description, subtypes: Object.fromEntries(subtypes) };
}
