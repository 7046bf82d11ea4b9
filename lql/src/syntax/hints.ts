import type { Token } from './token.ts';

const sql = 'This is not SQL: a query is written `{ source { … } filter { … } return { … } }`.';

/** What other languages have, and what to do here. */
const hints: ReadonlyMap<string, string> = new Map([
  ['select', `${sql} What \`select\` names belongs into \`return\`.`],
  ['from', `${sql} What \`from\` names belongs into \`source\`.`],
  ['where', `${sql} What \`where\` asks for belongs into \`filter\`.`],
  ['join', 'A join is not written: `source { A with B }` follows a relationship of A.'],
  ['group', 'Rows can not be grouped: `return distinct { … }` gives each of them once.'],
  ['having', 'Rows can not be grouped: all conditions belong into `filter`.'],
  ['order', 'Rows have no order: leave this out.'],
  ['limit', 'How many rows are wanted is said in the request, and not in the query: leave this out.'],
]);

export const hintAt = (token: Token): string | undefined =>
  token.kind === 'word' ? hints.get(token.text.toLowerCase()) : undefined;

/** The first dialect of the language: `id(Datasource alias) { SELECT … }`. */
export function isFirstDialect(tokens: readonly Token[]): boolean {
  const [id, open] = tokens;
  return id?.kind === 'word' && open?.kind === 'symbol' && open.text === '(';
}

export const firstDialect =
  'This is the first dialect of the language, which is too old to be understood. Write `{ source { Datasource alias } filter { … } return { … } }`.';
