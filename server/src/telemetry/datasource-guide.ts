import type { TelemetryDataset } from './dataset.ts';
import type { Datasource, Source } from './datasource.ts';
import { linkTo, namesOf, table } from './markdown.ts';
import { type Cast, columnsOf, type QueryColumn } from './query-column.ts';

/** The tables of the query language, with the datasets that they are made of. */
export function listDatasources(datasets: readonly TelemetryDataset[]): string {
  const rows = datasets
    .flatMap((dataset) => dataset.datasources.map((datasource) => [dataset, datasource] as const))
    .sort(([, one], [, other]) => (one.name < other.name ? -1 : 1))
    .map(
      ([{ path }, datasource]) =>
        `| ${linkToDatasource(datasource)} | ${linkTo(path)} | ${timeOf(datasource)} |`,
    );
  return table('| datasource | dataset | the time range tests |', rows);
}

export function linkToDatasource({ name }: Datasource): string {
  return linkTo(headingOf(name), name);
}

/** What the columns of a datasource are and where they come from. */
export function sectionOnDatasource(dataset: TelemetryDataset, datasource: Datasource): string {
  return [
    `### ${headingOf(datasource.name)}\n`,
    `${datasource.description ?? dataset.description} ${factsOf(dataset, datasource).join(' ')}\n`,
    table('| column | type | member | cast | what it is |', columnsOf(dataset, datasource).map(rowOf)),
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
    `Made of ${linkTo(path)}.`,
    `The time range tests ${timeOf(datasource)}.`,
    ...(conditions.length > 0 ? [`Only records with ${conditions.join(' and ')}.`] : []),
    ...(pairs
      ? [
          `A ${pairs.closing} ends the row of the ${pairs.opening} before it with the same ${namesOf(pairs.agreeOn)}, by \`${pairs.order}\`; without one it is a row of its own.`,
        ]
      : []),
  ];
}

const casts: Record<Cast, string> = { text: 'to text', moment: 'to a moment' };

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
  received: 'when it was received',
  batch: 'its batch',
  number: 'its batch and place in it',
};
