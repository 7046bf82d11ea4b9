import type { Scanner } from '../../control/scan/scanner.ts';
import { datasetRoutes } from '../../families/dataset-routes.ts';
import type { Family } from '../../http/family.ts';
import type { Clock } from '../../platform/clock.ts';
import type { TelemetryDataset } from '../../telemetry/dataset.ts';
import { datasets } from '../../telemetry/datasets.ts';
import { recordForm } from '../../telemetry/record-form.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';

const groups: Readonly<Record<string, string>> = {
  Activities: 'What happened on hosts.',
  Entities: 'What was there on hosts.',
};

/** Every dataset that can be searched, by the family that its path begins with. */
export const datasetFamilyRoutes = (deps: { telemetry: Telemetry; scanner: Scanner; clock: Clock }) => {
  const searched = datasets.filter(({ search }) => search !== undefined);
  const families = new Map(searched.map((dataset) => [familyOf(dataset), describe(dataset, searched)]));
  return searched.flatMap((dataset) =>
    datasetRoutes(dataset, { ...deps, family: families.get(familyOf(dataset)) as Family }),
  );
};

function familyOf({ path }: TelemetryDataset): string {
  return path.split('/')[0] as string;
}

/** A dataset of its own, or a group of which each is a kind. */
function describe(dataset: TelemetryDataset, all: readonly TelemetryDataset[]): Family {
  const name = familyOf(dataset);
  const description = groups[name];
  if (description === undefined) {
    return { name, description: dataset.description, record: recordForm(dataset), isDataset: true };
  }
  const kinds = all.filter((candidate) => familyOf(candidate) === name);
  const subtypes = kinds.map((kind) => [kind.path.split('/')[1], recordForm(kind)]);
  return { name, description, subtypes: Object.fromEntries(subtypes) };
}
