import type { Scanner } from '../../control/scan/scanner.ts';
import { QueryChange, QueryCreation } from '../../detection/queries/form.ts';
import { QueryRecord, queriesDataset } from '../../detection/queries/record.ts';
import type { ReadRequest } from '../../families/record-family.ts';
import { recordRoutes } from '../../families/record-routes.ts';
import { storedRecords } from '../../families/stored-records.ts';
import { type ExecutionDeps, executionRoutes } from './execution.ts';
import { validationRoute } from './validation.ts';

const queryFamily = {
  family: { name: 'Queries', description: 'Saved LQL queries.', record: QueryRecord },
  singular: 'a query',
  plural: 'queries',
  title: 'Query',
  id: 'queryId',
  creation: QueryCreation,
  change: QueryChange,
  descriptions: {
    create: 'Errors in the query text are reported with line and column.',
    change:
      'Omitted members keep their values. Built-in queries cannot change, and a query that a policy uses must remain valid for it.',
  },
  mayRefuseRemoval: true,
  refuses: { create: ['INVALID_QUERY'], change: ['INVALID_QUERY'] },
} as const;

export const queryRoutes = ({ scanner, ...deps }: ExecutionDeps & { readonly scanner: Scanner }) => {
  const { queries, language } = deps;
  const recordSource = async ({ scope }: ReadRequest) => ({
    ...{ scanner, dataset: queriesDataset },
    builtIn: await queries.builtInFor(scope.ownerId),
  });
  const records = recordRoutes(queryFamily, {
    create: ({ actor }, body) => queries.create(actor, body),
    list: async (request) => storedRecords(await recordSource(request), request),
    search: async (request, body) => storedRecords(await recordSource(request), request, body),
    get: ({ scope }, id) => queries.get(scope.ownerId, id),
    change: ({ actor }, id, body) => queries.change(actor, id, body),
    remove: ({ actor }, id) => queries.delete(actor, id),
  });
  return [
    ...records,
    validationRoute(queryFamily.family, language),
    ...executionRoutes(queryFamily.family, deps),
  ];
};
