import type { Scanner } from '../../control/scan/scanner.ts';
import { recordRoutes } from '../../families/record-routes.ts';
import { storedRecords } from '../../families/stored-records.ts';
import { DistributionChange, DistributionCreation } from '../../reports/distributions/form.ts';
import { DistributionRecord, distributionsDataset } from '../../reports/distributions/record.ts';
import type { ReportDistributions } from '../../reports/distributions/report-distributions.ts';

const { name, description } = distributionsDataset;

const distributionFamily = {
  family: { name, description, record: DistributionRecord },
  singular: 'a report distribution',
  plural: 'report distributions',
  title: 'Report Distribution',
  id: 'reportDistributionGuid',
  creation: DistributionCreation,
  change: DistributionChange,
  descriptions: {
    create: 'The report definition, the alert channels and the resource groups must exist.',
    change:
      'Omitted members keep their values, also within `data`; an array that is given replaces the present one.',
  },
} as const;

export const reportDistributionRoutes = ({
  distributions,
  scanner,
}: {
  distributions: ReportDistributions;
  scanner: Scanner;
}) =>
  recordRoutes(distributionFamily, {
    create: ({ actor, scope }, body) => distributions.create(actor, scope, body),
    list: (request) => storedRecords({ scanner, dataset: distributionsDataset, builtIn: [] }, request),
    get: ({ scope }, guid) => distributions.get(scope, guid),
    change: ({ actor, scope }, guid, body) => distributions.change(actor, scope, guid, body),
    remove: ({ actor, scope }, guid) => distributions.delete(actor, scope, guid),
  });
