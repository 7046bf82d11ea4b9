import { Type } from 'typebox';
import type { Scanner } from '../../control/scan/scanner.ts';
import { searchRoutes } from '../../families/search-routes.ts';
import { refuseField } from '../../platform/checks.ts';
import type { Clock } from '../../platform/clock.ts';
import { instantFormats, parseInstant } from '../../platform/instant.ts';
import { omissible } from '../../platform/omissible.ts';
import { quoted } from '../../platform/quoted.ts';
import { readFilters } from '../../search/filter.ts';
import type { SearchQuery } from '../../search/page.ts';
import { cspNames, inventoryRecord } from '../../telemetry/inventory-record.ts';
import { fieldsOf, recordSchema } from '../../telemetry/record-form.ts';
import type { Provider } from '../../telemetry/served-datasource.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import { family } from './family.ts';

/** The deprecated way to name a provider. */
const datasetProviders: Readonly<Record<string, Provider>> = {
  AwsCompliance: 'aws',
  AzureCompliance: 'azure',
  GcpCompliance: 'gcp',
  K8sCompliance: 'k8s',
};
const searched = ['aws', 'azure', 'gcp', 'k8s'] as const satisfies readonly Provider[];
const providers = new Map<string, Provider>(searched.map((provider) => [cspNames[provider], provider]));

const members = {
  csp: omissible(
    Type.Enum([...providers.keys(), ''], {
      description:
        'Cloud provider. Exactly one of csp and dataset is required; an empty string counts as absent.',
    }),
  ),
  dataset: omissible(
    Type.Enum([...Object.keys(datasetProviders), ''], {
      description: 'Deprecated: use csp. Both are accepted if they name the same provider.',
    }),
  ),
  asOf: omissible(
    Type.String({
      maxLength: 100,
      description: `Returns the resources as they were at this time, whenever they were collected; replaces the time filter. Format: ${instantFormats}.`,
    }),
  ),
};

interface InventoryBody {
  readonly csp?: string | null;
  readonly dataset?: string | null;
  readonly asOf?: string | null;
}

/** One client sends both, another sends empty strings. */
export function providerOf({ csp, dataset }: InventoryBody): Provider {
  const byCsp = csp ? providers.get(csp) : undefined;
  const byDataset = dataset ? datasetProviders[dataset] : undefined;
  if (byCsp && byDataset && byCsp !== byDataset)
    throw refuseField('INVALID_INPUT', 'dataset', `${quoted(dataset ?? '')} is not of ${csp}: omit it.`);
  const provider = byCsp ?? byDataset;
  if (!provider)
    throw refuseField('INVALID_INPUT', 'csp', `is required: one of ${[...providers.keys()].join(', ')}.`);
  return provider;
}

function withOptions(body: InventoryBody, query: SearchQuery): SearchQuery {
  const provider = providerOf(body);
  if (!body.asOf) return { ...query, provider };
  const instant = parseInstant(body.asOf);
  if (instant === undefined)
    throw refuseField(
      'INVALID_TIME_RANGE',
      'asOf',
      `${quoted(body.asOf)} is not a time: use ${instantFormats}.`,
    );
  return { ...query, provider, range: { start: 0, end: instant + 1 } };
}

export interface InventorySearchDeps {
  readonly telemetry: Telemetry;
  readonly scanner: Scanner;
  readonly clock: Clock;
}

export function inventorySearchRoutes({ telemetry, scanner, clock }: InventorySearchDeps) {
  const { path, description } = inventoryRecord;
  const fields = fieldsOf(inventoryRecord);
  return searchRoutes(
    {
      ...{ path, pages: path, description, record: recordSchema(inventoryRecord) },
      ...{ isPaged: true, isListed: false },
      extension: { members, apply: withOptions },
      fieldsFor: async () => fields,
      search: async (ownerId, request, signal) => {
        await scanner.checkPatterns(ownerId, readFilters(request.filters, fields), signal);
        return telemetry.resources.search(ownerId, request, signal);
      },
      nextPage: (ownerId, page, signal) => telemetry.resources.nextPage(ownerId, page, signal),
    },
    { clock, family },
  );
}
