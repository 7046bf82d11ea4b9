import { VARCHAR } from '@duckdb/node-api';
import type { Activity } from '../../dataset.ts';
import { order } from '../segments/record-order.ts';
import { startOfHistory } from '../segments/segment.ts';
import { typedColumns } from '../sql/columns.ts';
import { documentAt } from '../sql/document.ts';
import { compileFilter } from '../sql/filter-sql.ts';
import { bind, identifier, joined, plain, type Sql, sql } from '../sql/sql.ts';
import { allOf, integer, isAfter, perSegment, type Scope } from './scope.ts';

/** The records of a scope; `cut` limits each segment to its newest records. */
export function sourceOf(scope: Scope, cut?: number): Sql {
  const per = scope.dataset.search?.newestPer;
  if (per !== undefined) return newestPer(scope, per);
  const newest = cut === undefined ? plain('') : sql`order by ${order} limit ${plain(`${cut}`)}`;
  // Planning with all columns takes longer, even if they are not read.
  return sql`(${perSegment(scope, (source) => sql`(select t, seq, n, doc from ${source} ${newest})`)})`;
}

/** The newest record of each value is chosen before filters apply, because they see computed members. */
function newestPer(scope: Scope, per: string): Sql {
  const { dataset, filters, after, segments } = scope;
  const computed = computedMembers(scope);
  const columns = typedColumns(dataset).map(({ name }) => {
    const member = computed.find((one) => one.name === name);
    return member ? sql`${member.column} as ${identifier(name)}` : sql`r.${identifier(name)}`;
  });
  const names = joined(
    typedColumns(dataset).map(({ name }) => identifier(name)),
    ', ',
  );
  const records = perSegment(scope, (source) => sql`select t, seq, n, odd, doc, ${names} from ${source}`);
  // Chosen from narrow columns, so that only the documents of the newest records are kept in memory.
  const keys = perSegment(scope, (source) => sql`select t, seq, n, ${identifier(per)} as per from ${source}`);
  const newest = sql`select unnest(max({'t': t, 'seq': seq, 'n': n})) from (${keys}) group by per`;
  const mistyped = segments.some((segment) => segment.spans.get(dataset.path)?.hasMistyped) ? 'some' : 'none';
  const conditions = filters.map((filter) => compileFilter(filter, dataset, { mistyped }));
  return sql`(select t, seq, n, doc from (
    select r.t, r.seq, r.n, r.odd, ${documentWith(computed)} as doc, ${joined(columns, ', ')}
    from (${records}) r join (${newest}) k on r.t = k.t and r.seq = k.seq and r.n = k.n ${firstJoin(scope, per)})
    where ${allOf([...conditions, ...(after ? [isAfter(after)] : [])])})`;
}

interface ComputedMember {
  readonly name: string;
  /** As in the typed column. */
  readonly column: Sql;
  /** As in the document. */
  readonly json: Sql;
}

function computedMembers({ dataset, range, asOf = range.end, history }: Scope): ComputedMember[] {
  const { earliest, activity } = dataset.search ?? {};
  return [
    ...(earliest !== undefined && history ? [earliestMember(earliest)] : []),
    ...(activity ? [activityMember(activity, Math.min(range.end, asOf))] : []),
  ];
}

function earliestMember(name: string): ComputedMember {
  const own = sql`r.${identifier(name)}`;
  const isOwn = sql`f.first is null or f.first = ${own}`;
  const formatted = sql`to_json(strftime(epoch_ms(f.first), '%Y-%m-%dT%H:%M:%S.%gZ'))`;
  return {
    name,
    column: sql`coalesce(f.first, ${own})`,
    json: sql`case when ${isOwn} then ${documentAt([name], sql`r.doc`)} else ${formatted} end`,
  };
}

function activityMember({ member, within, active, inactive }: Activity, at: number): ComputedMember {
  const isActive = sql`r.t >= ${integer(at - within)}`;
  const column = sql`case when ${isActive} then ${bind(active, VARCHAR)} else ${bind(inactive, VARCHAR)} end`;
  return { name: member, column, json: sql`to_json(${column})` };
}

function documentWith(computed: readonly ComputedMember[]): Sql {
  if (computed.length === 0) return sql`r.doc`;
  const members = computed.map(({ name, json }) => sql`${bind(name, VARCHAR)}, ${json}`);
  return sql`json_merge_patch(r.doc, json_object(${joined(members, ', ')}))::varchar`;
}

/** The earliest value in all segments: two narrow columns, no documents. */
function firstJoin(scope: Scope, per: string): Sql {
  const { dataset, range, history } = scope;
  const earliest = dataset.search?.earliest;
  if (earliest === undefined || !history) return plain('');
  const whole = { ...scope, segments: history, range: { start: startOfHistory, end: range.end } };
  const values = perSegment(
    whole,
    (source) => sql`select ${identifier(per)} as per, ${identifier(earliest)} as value from ${source}`,
  );
  return sql`left join (select per, min(value) as first from (${values}) group by per) f on f.per = r.${identifier(per)}`;
}
