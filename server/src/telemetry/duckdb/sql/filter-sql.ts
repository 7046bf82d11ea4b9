import type { Filter } from '../../../search/filter.ts';
import { readsString } from '../../../search/operators.ts';
import { type Path, parsePath } from '../../../search/path.ts';
import { textOf } from '../../../search/scalar.ts';
import type { MemberType, TelemetryDataset } from '../../dataset.ts';
import { compareColumn, compareJson } from './comparison.ts';
import { documentAt, stringOfJson, stringOfNumber } from './document.ts';
import { matchString } from './pattern.ts';
import { identifier, type Sql, sql } from './sql.ts';

/**
 * The condition that matches exactly the rows whose records match in the evaluator. `mistyped` says whether rows may be
 * mistyped: if none is, inner members are read from columns alone.
 */
export function compileFilter(
  filter: Filter,
  dataset: TelemetryDataset,
  { mistyped = 'some' }: { mistyped?: 'some' | 'none' } = {},
): Sql {
  const column = columnAt(filter, dataset);
  const condition = !column
    ? byDocument(filter)
    : column.isInner && mistyped === 'some'
      ? // Not `or`: negated, that would read every document.
        sql`case when odd then ${byDocument(filter)} else ${byColumn(filter, column)} end`
      : byColumn(filter, column);
  // An absent member matches only negated filters.
  return filter.negated ? sql`not coalesce(${condition}, false)` : condition;
}

/** The same for a member that is stored as a JSON document of its own. */
export function compileDocumentFilter(filter: Filter, document: Sql): Sql {
  const condition = byJson(filter, documentAt(filter.path.steps, document));
  return filter.negated ? sql`not coalesce(${condition}, false)` : condition;
}

interface TypedColumn {
  readonly name: Sql;
  readonly type: Exclude<MemberType, 'json'>;
  readonly isInner: boolean;
}

/** The column to compare; undefined if the document has to be read. */
function columnAt({ path, test }: Filter, { members }: TelemetryDataset): TypedColumn | undefined {
  const member = Object.hasOwn(members, path.field) ? members[path.field] : undefined;
  if (!member) return undefined;
  const isInner = path.steps.length > 0;
  const inner = Object.keys(member.inner ?? {}).find((name) =>
    isSame(parsePath(`${path.field}.${name}`), path),
  );
  const type = isInner ? inner && member.inner?.[inner]?.type : member.type;
  if (!type || type === 'json') return undefined;
  // String operators match timestamps as sent; below an object they are compared as strings, too.
  if (type === 'time' && (isInner || readsString(test))) return undefined;
  return { name: identifier(isInner ? `${path.field}.${inner}` : path.field), type, isInner };
}

function isSame(left: Path | undefined, right: Path): boolean {
  return (
    left?.steps.length === right.steps.length && left.steps.every((step, at) => step === right.steps[at])
  );
}

function byColumn({ test, values }: Filter, { name, type }: TypedColumn): Sql {
  if (!readsString(test)) return compareColumn(name, type, test, values);
  const stringValue =
    type === 'string' ? name : type === 'number' ? stringOfNumber(name) : sql`${name}::varchar`;
  return matchString(stringValue, test, textOf(values[0]));
}

function byDocument(filter: Filter): Sql {
  return byJson(filter, documentAt([filter.path.field, ...filter.path.steps]));
}

function byJson({ test, values }: Filter, json: Sql): Sql {
  if (readsString(test)) return matchString(stringOfJson(json), test, textOf(values[0]));
  return compareJson(json, test, values);
}
