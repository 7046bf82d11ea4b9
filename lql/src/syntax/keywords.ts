/** Words of the grammar, in any case. Each means what it means only in its place: elsewhere it is a name. */
const keywords = [
  ...['source', 'filter', 'return', 'distinct', 'with', 'on', 'as', 'union', 'all'],
  ...['and', 'or', 'not', 'in', 'like', 'ilike', 'rlike', 'any', 'between', 'is', 'null', 'json'],
  ...['case', 'when', 'then', 'else', 'end', 'true', 'false'],
] as const;

export type Keyword = (typeof keywords)[number];

const keywordSet: ReadonlySet<string> = new Set(keywords);

export function keywordOf(word: string): Keyword | undefined {
  const lower = word.toLowerCase();
  return keywordSet.has(lower) ? (lower as Keyword) : undefined;
}

const operatorWords: ReadonlySet<string> = new Set<Keyword>([
  ...(['and', 'or', 'in', 'like', 'ilike', 'rlike', 'between', 'is'] as const),
  ...(['case', 'when', 'then', 'else', 'end', 'as'] as const),
]);

/** In an expression these are names only when what follows can only stand behind a name. */
export const isOperatorWord = (word: string) => operatorWords.has(word.toLowerCase());

/** Left over from the first dialect: no name of a query may be one of them, in any case. */
const reserved: ReadonlySet<string> = new Set([
  ...[
    'expr',
    'join',
    'limit',
    'outer',
    'paraminfo',
    'properties',
    'select',
    'sql',
    'type',
    'variant',
    'where',
  ],
]);

export const isReserved = (word: string) => reserved.has(word.toLowerCase());

/** What may be written as a name or a key without quotes. */
export const isIdentifier = (text: string) => /^[A-Za-z][A-Za-z0-9_]*$/.test(text);

const expansions: ReadonlySet<string> = new Set(['array_to_rows', 'array_to_rows_non_empty']);

/** What makes rows of a list, in `source`. */
export const isExpansion = (word: string) => expansions.has(word.toLowerCase());
