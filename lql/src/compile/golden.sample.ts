/** A statement on several lines, so that a change of it can be read. */
export function spread(sql: string): string {
  return sql.replace(/ (?=(?:from|where|union all|left join|cross join|limit)\b)/g, '\n');
}
