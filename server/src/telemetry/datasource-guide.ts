import type { TelemetryDataset } from './dataset.ts';
import type { Datasource, Source } from './datasource.ts';
import { linkTo, namesOf, table } from './markdown.ts';
import { type Cast, columnsOf, type QueryColumn } from './query-column.ts';

/** The datasources of the query language, with their datasets. */
export function listDatasources(datasets: readonly TelemetryDataset[]): string {
  const rows = datasets
    .flatMap((dataset) => dataset.datasources.map((datasource) => [dataset, datasource] as const))
    .sort(([, one], [, other]) => (one.name < other.name ? -1 : 1))
    .map(
      ([{ path }, datasource]) =>
        `| ${linkToDatasource(datasource)} | ${linkTo(path)} | ${timeOf(datasource)} |`,
    );
  return table('| datasource | dataset | timestamp for the time range |', rows);
}

export function linkToDatasource({ name }: Datasource): string {
  return linkTo(headingOf(name), name);
}

/** The columns of a datasource and their origin. */
export function sectionOnDatasource(dataset: TelemetryDataset, datasource: Datasource): string {
  return [
    `### ${headingOf(datasource.name)}\n`,
    `${datasource.description ?? dataset.description} ${factsOf(dataset, datasource).join(' ')}\n`,
    table('| column | type | member | cast | description |', columnsOf(dataset, datasource).map(rowOf)),
  ].join('\n');
}

function headingOf(name: string): string {
  return `Datasource ${name}`;
}

function timeOf({ time }: Datasource): string {
  return time.map((name) => `\`${name}\``).join(' to ');
}

function factsOf({ path }: TelemetryDataset, datasource: Datasource): string[] {
  const { where = [], pairs } = datasource;
  const conditions = where.map(({ member, is }) => `\`${member}\`${is === undefined ? '' : ` ${is}`}`);
  return [
    `Source: ${linkTo(path)}.`,
    `The time range selects rows by ${timeOf(datasource)}.`,
    ...(conditions.length > 0 ? [`Only records with ${conditions.join(' and ')}.`] : []),
    ...(pairs
      ? [
          `A ${pairs.closing} ends the row of the preceding ${pairs.opening} (by \`${pairs.order}\`) with the same ${namesOf(pairs.agreeOn)}; without one it is a separate row.`,
        ]
      : []),
  ];
}

const casts: Record<Cast, string> = { text: 'to string', timestamp: 'to timestamp' };

function rowOf({ name, type, description, source, reads }: QueryColumn): string {
  const cast = reads.flatMap(({ path, cast }) =>
    cast ? [`${reads.length > 1 ? `\`${path}\` ` : ''}${casts[cast]}`] : [],
  );
  return `| \`${name}\` | ${type} | ${memberOf(source)} | ${cast.join()} | ${description} |`;
}

function memberOf(source: Source): string {
  if (typeof source === 'string') return `\`${source}\``;
  if ('stored' in source) return stored[source.stored];
  if ('hour' in source) return `${source.hour} of the hour of \`${source.of}\``;
  if ('side' in source) return `\`${source.member}\` of the ${source.side} record`;
  return source.map((path) => `\`${path}\``).join(', else ');
}

const stored = {
  record: 'the record',
  received: 'time of receipt',
  batch: 'its batch',
  number: 'its batch and position in it',
};
