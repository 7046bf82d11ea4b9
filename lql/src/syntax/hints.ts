import type { Token } from './token.ts';

const sql = 'This is not SQL: a query is written `{ source { … } filter { … } return { … } }`.';

/** Clauses of other languages and their LQL equivalent. */
const hints: ReadonlyMap<string, string> = new Map([
  ['select', `${sql} Write the columns of \`select\` in \`return\`.`],
  ['from', `${sql} Write the tables of \`from\` in \`source\`.`],
  ['where', `${sql} Write the condition of \`where\` in \`filter\`.`],
  ['join', 'LQL has no join clause: `source { A with B }` joins by a relationship of A.'],
  ['group', 'LQL has no grouping: `return distinct { … }` removes duplicate rows.'],
  ['having', 'LQL has no grouping: write all conditions in `filter`.'],
  ['order', 'LQL has no ordering: remove this.'],
  ['limit', 'The row limit is an option of the request, not part of the query: remove this.'],
]);

export const hintAt = (token: Token): string | undefined =>
  token.kind === 'word' ? hints.get(token.text.toLowerCase()) : undefined;

/** The first dialect of the language: `id(Datasource alias) { SELECT … }`. */
export function isFirstDialect(tokens: readonly Token[]): boolean {
  const [id, open] = tokens;
  return id?.kind === 'word' && open?.kind === 'symbol' && open.text === '(';
}

export const firstDialect =
  'This is the old, first dialect of the language, which is not supported. Write `{ source { Datasource alias } filter { … } return { … } }`.';
