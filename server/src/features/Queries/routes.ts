import type { Scanner } from '../../control/scan/scanner.ts';
import { QueryChange, QueryCreation } from '../../detection/queries/form.ts';
import type { Queries } from '../../detection/queries/queries.ts';
import { QueryRecord, queriesDataset } from '../../detection/queries/record.ts';
import { recordRoutes } from '../../families/record-routes.ts';
import { storedRecords } from '../../families/stored-records.ts';

const declared = {
  family: { name: 'Queries', description: 'Saved queries in LQL.', record: QueryRecord },
  singular: 'a query',
  plural: 'queries',
  title: 'Query',
  id: 'queryId',
  creation: QueryCreation,
  change: QueryChange,
  descriptions: { change: 'Members that are left out stay. Built-in queries can not change.' },
  conflicts: ['create', 'change', 'remove'],
} as const;

export const queryRoutes = ({ queries, scanner }: { queries: Queries; scanner: Scanner }) => {
  const stored = () => ({ scanner, dataset: queriesDataset, builtIn: queries.builtIn() });
  return recordRoutes(declared, {
    create: ({ actor }, body) => queries.create(actor, body),
    list: ({ scope }) => storedRecords(stored(), scope.ownerId),
    search: ({ scope }, body) => storedRecords(stored(), scope.ownerId, body),
    get: ({ scope }, id) => queries.get(scope.ownerId, id),
    change: ({ actor }, id, body) => queries.change(actor, id, body),
    remove: ({ actor }, id) => queries.delete(actor, id),
  });
};
