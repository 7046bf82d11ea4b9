import type { Activity, Member, RangeRule, TelemetryDataset } from './dataset.ts';
import { linkToDatasource, listDatasources, sectionOnDatasource } from './datasource-guide.ts';
import { linkTo, namesOf, table } from './markdown.ts';

const opening = `# Datasets

The telemetry of agents and clouds, for searches and queries. \`npm run docs:datasets\` generates this page from the
declarations in \`server/src/telemetry/datasets/\`.

Records are sent to \`POST /ingest/v1/<dataset>\`. A member marked with \`?\` is optional and may be null; all others are required.
Additional members are stored, can be searched and are returned. The nested members of an object are those that clients know; it
may have others. An \`integer\` has up to 64 bits, a \`time\` has the format \`2024-05-01T13:00:00.000Z\`, \`json\` is an object or
an array.
`;

const toDatasources = `Queries read datasets as datasources. The columns of a datasource are listed below its dataset; a column is a member, cast to
another type if the table says so. A string in RFC 3339 or epoch milliseconds is cast to a timestamp; true and false are cast to strings.
`;

/** The reference of datasets and datasources: docs/datasets.md. */
export function guideTo(datasets: readonly TelemetryDataset[]): string {
  const rows = datasets.map(({ path, description }) => `| ${linkTo(path)} | ${description} |`);
  return [
    opening,
    table('| dataset | content |', rows),
    toDatasources,
    listDatasources(datasets),
    ...datasets.map(sectionOn),
  ].join('\n');
}

function sectionOn(dataset: TelemetryDataset): string {
  const rows = Object.entries(dataset.members).flatMap(([name, member]) => rowsOf(name, member));
  return [
    `## ${dataset.path}\n`,
    `${dataset.description} ${factsOf(dataset).join(' ')}\n`,
    table('| member | type | description |', rows),
    ...dataset.datasources.map((datasource) => sectionOnDatasource(dataset, datasource)),
  ].join('\n');
}

function ruleOf(range: RangeRule): string {
  if (range.by === 'overlap') return 'whose window from `startTime` to `endTime` overlaps it';
  return `by \`${range.by === 'start' ? 'startTime' : range.member}\``;
}

function ruleOfActivity(range: RangeRule, { member, within, active, inactive }: Activity): string {
  const time = range.by === 'instant' ? range.member : 'startTime';
  return `Its \`${member}\` is ${active} if \`${time}\` is at most ${within / 60_000} minutes before the end of the range or, if that is earlier, before now; otherwise ${inactive}.`;
}

function factsOf({ path, range, identity, search, datasources, derives = [] }: TelemetryDataset): string[] {
  return [
    search ? `Search: \`POST /api/v2/${path}/search\`.` : 'Available to queries only.',
    `The time range of a search selects records ${ruleOf(range)}.`,
    ...(search?.newestPer
      ? [`A search returns only the newest record of each \`${search.newestPer}\`.`]
      : []),
    ...(search?.earliest
      ? [
          `Its \`${search.earliest}\` is the earliest of all retained records of that \`${search.newestPer}\`.`,
        ]
      : []),
    ...(search?.activity ? [ruleOfActivity(range, search.activity)] : []),
    ...(search?.historyDays
      ? [`Retention: ${search.historyDays} days, or \`VEDETTE_RETENTION_DAYS\` if that is less.`]
      : []),
    ...derives.map(({ into }) => `Records of ${linkTo(into.path)} are derived from it and need not be sent.`),
    `Identity: ${namesOf(identity)}.`,
    ...(datasources.length > 0 ? [`Datasources: ${datasources.map(linkToDatasource).join(', ')}.`] : []),
  ];
}

function rowsOf(name: string, { type, description, optional, inner = {} }: Member): string[] {
  return [
    `| \`${name}\`${optional ? ' ?' : ''} | ${type} | ${description} |`,
    ...Object.entries(inner).map(
      ([path, below]) => `| \`${name}.${path}\` | ${below.type} | ${below.description} |`,
    ),
  ];
}
