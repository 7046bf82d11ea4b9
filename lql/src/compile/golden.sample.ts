/** Splits a statement into lines, for readable diffs. */
export function splitLines(sql: string): string {
  return sql.replace(/ (?=(?:from|where|union all|left join|cross join|limit)\b)/g, '\n');
}
