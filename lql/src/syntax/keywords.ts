/** Case-insensitive and contextual: elsewhere these words are names. */
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

/** In an expression these are names only if the next token can only follow a name. */
export const isOperatorWord = (word: string) => operatorWords.has(word.toLowerCase());

/** Reserved by the first dialect, case-insensitive. */
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

/** Valid as a name or key without quotes. */
export const isIdentifier = (text: string) => /^[A-Za-z][A-Za-z0-9_]*$/.test(text);

const expansions: ReadonlySet<string> = new Set(['array_to_rows', 'array_to_rows_non_empty']);

/** Functions in `source` that make rows of an array. */
export const isExpansion = (word: string) => expansions.has(word.toLowerCase());
