import type { Member, RangeRule, TelemetryDataset } from './dataset.ts';
import { linkToDatasource, listDatasources, sectionOnDatasource } from './datasource-guide.ts';
import { linkTo, namesOf, table } from './markdown.ts';

const opening = `# Datasets

What agents and clouds report, and what searches and queries find. Made from the declarations in
\`server/src/telemetry/datasets/\` by \`npm run docs:datasets\`.

Records come in by \`POST /ingest/v1/<dataset>\`. A member marked with \`?\` may be left out, and null says the same; all
others must be there. Further members may be there too: they are kept, found and returned. Members below an object are
those that clients know; it may hold others. An \`integer\` has up to 64 bits, a \`time\` is written like
\`2024-05-01T13:00:00.000Z\`, \`json\` is an object or a list.
`;

const toDatasources = `Queries read them as datasources. Each has the columns below its dataset; a column is a member, cast to another type
where the table says so. Text becomes a moment when it is RFC 3339 or epoch milliseconds; true and false become text.
`;

/** The page that tells people what there is: docs/datasets.md. */
export function guideTo(datasets: readonly TelemetryDataset[]): string {
  const rows = datasets.map(({ path, description }) => `| ${linkTo(path)} | ${description} |`);
  return [
    opening,
    table('| dataset | what it is |', rows),
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
    table('| member | type | what it is |', rows),
    ...dataset.datasources.map((datasource) => sectionOnDatasource(dataset, datasource)),
  ].join('\n');
}

function ruleOf(range: RangeRule): string {
  if (range.by === 'overlap') return 'the window from `startTime` to `endTime` overlaps it';
  return `\`${range.by === 'start' ? 'startTime' : range.member}\` is`;
}

function factsOf({ path, range, identity, search, datasources, derives = [] }: TelemetryDataset): string[] {
  return [
    search ? `Searched at \`/api/v2/${path}/search\`.` : 'Read by queries only.',
    `In a time range when ${ruleOf(range)}.`,
    ...(search?.newestPer ? [`Only the newest record of each \`${search.newestPer}\` is shown.`] : []),
    ...(search?.historyDays ? [`Kept for ${search.historyDays} days, unless the operator keeps less.`] : []),
    ...derives.map(({ into }) => `Records of ${linkTo(into.path)} follow from it and need not be sent.`),
    `Told apart by ${namesOf(identity)}.`,
    ...(datasources.length > 0
      ? [`Queries read it as ${datasources.map(linkToDatasource).join(', ')}.`]
      : []),
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
