/** A Markdown table; `head` is its first line. */
export function table(head: string, rows: readonly string[]): string {
  const rule = head.replace(/[^|]+/g, '---');
  return [head, rule, ...rows, ''].join('\n');
}

/** A link to a heading of the same page, with GitHub's anchor. */
export function linkTo(heading: string, label = heading): string {
  return `[${label}](#${heading
    .toLowerCase()
    .replaceAll(' ', '-')
    .replace(/[^\w-]/g, '')})`;
}

export function namesOf(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}
