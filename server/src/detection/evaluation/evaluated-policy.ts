import type { CheckedQuery } from '@vedette/lql/check/checked';
import {
  datasourcesByResource,
  evaluatedResources,
  selectedResources,
} from '@vedette/lql/check/evaluated-resources';
import { datasourcesOf, readsClock } from '@vedette/lql/check/query-blocks';
import { compileColumns } from '@vedette/lql/compile/compile';
import { duckdb } from '@vedette/lql/compile/duckdb/duckdb';
import type { CompileWith } from '../../telemetry/compiled-query.ts';
import {
  type ChangedSince,
  type EvaluatedPolicy,
  resourceColumns,
  resourceKey,
  urnColumns,
} from '../../telemetry/evaluation.ts';
import type { Provider, ServedDatasource } from '../../telemetry/served-datasource.ts';

/** The queries of a policy over cloud resources: which resources it applies to, and which of them violate it. */
export interface ResourceQueries {
  readonly query: CheckedQuery;
  /** Undefined: all resources of the first datasource. */
  readonly scope: CheckedQuery | undefined;
}

/** What decides how the resources of a policy are evaluated, apart from its account. */
export type ResourcePolicy = Pick<
  EvaluatedPolicy,
  | 'provider'
  | 'kind'
  | 'kinds'
  | 'readsAllKinds'
  | 'readsOther'
  | 'kindsByUrn'
  | 'readsClock'
  | 'scope'
  | 'scopeKinds'
> & {
  resources(run: EvaluationRun, changed: ChangedSince | undefined): CompileWith;
  violations(run: EvaluationRun, changed: ChangedSince | undefined): CompileWith;
};

/** One evaluation: resources are read as they are at that time. */
export interface EvaluationRun {
  readonly account: string;
  readonly at: number;
}

/** Undefined if the query is not about resources of one provider, or its rows do not name them. */
export function resourcePolicyOf({ query, scope }: ResourceQueries): ResourcePolicy | undefined {
  const root = query.blocks[0]?.sources[0];
  if (root?.kind !== 'table') return undefined;
  const { origin, name: rootName } = root.datasource as ServedDatasource;
  const inScope = scope
    ? selectedResources(scope, resourceKey, resourceColumns)
    : evaluatedResources(query, resourceKey, resourceColumns);
  if (origin.from !== 'resources' || !inScope || !returnsKey(query)) return undefined;
  const read = [...datasourcesOf(query), ...(scope ? datasourcesOf(scope) : [])];
  const kinds = new Set(read.flatMap(kindsOf));
  const bySelf = datasourcesByResource(query, resourceKey, urnColumns);
  const byScope = scope ? datasourcesByResource(scope, resourceKey, urnColumns) : bySelf;
  const inScopeQuery = new Set(scope ? datasourcesOf(scope).map(({ name }) => name) : []);
  const kindsByUrn = [...bySelf].filter((name) => byScope.has(name) || !inScopeQuery.has(name));
  const boundsOf = ({ account, at }: EvaluationRun, changed: ChangedSince | undefined) => ({
    ...{ account, start: at, end: at + 1, changed },
  });
  return {
    provider: origin.provider as Provider,
    kind: origin.kind?.name ?? rootName,
    kinds: [...kinds],
    readsAllKinds: read.some(hasAllKinds),
    readsOther: read.some((datasource) => (datasource as ServedDatasource).origin.from !== 'resources'),
    kindsByUrn,
    readsClock: readsClock(query) || (scope !== undefined && readsClock(scope)),
    scope: textOf(inScope),
    scopeKinds: rootKindsOf(inScope),
    resources: (run, changed) => (tables) =>
      compileColumns(
        inScope,
        { dialect: duckdb, tables, bounds: boundsOf(run, changed), now: run.at },
        inScope.columns.map(({ name }) => name),
        { withRow: false },
      ),
    violations: (run, changed) => (tables) =>
      compileColumns(
        query,
        { dialect: duckdb, tables, bounds: boundsOf(run, changed), now: run.at },
        [resourceKey],
        { withRow: true },
      ),
  };
}

function returnsKey({ columns }: CheckedQuery): boolean {
  return columns.some(({ name, type }) => name === resourceKey && type === 'String');
}

/** The same for equal queries; datasources by their names, because they are large. */
function textOf({ blocks }: CheckedQuery): string {
  return JSON.stringify(blocks, (name, value) =>
    name === 'datasource' || name === 'relationship' ? (value as { readonly name: string }).name : value,
  );
}

/** The kinds of the first datasources; undefined if one of them has all kinds of a provider. */
function rootKindsOf({ blocks }: CheckedQuery): string[] | undefined {
  const kinds = blocks.map(({ sources: [first] }) =>
    first?.kind === 'table' ? kindsOf(first.datasource) : [],
  );
  return kinds.every(({ length }) => length > 0) ? [...new Set(kinds.flat())] : undefined;
}

/** A datasource of all kinds of a provider has none of its own. */
function kindsOf(datasource: unknown): string[] {
  const { origin } = datasource as ServedDatasource;
  return origin.from === 'resources' && origin.kind ? [origin.kind.name] : [];
}

function hasAllKinds(datasource: unknown): boolean {
  const { origin } = datasource as ServedDatasource;
  return origin.from === 'resources' && !origin.kind;
}
