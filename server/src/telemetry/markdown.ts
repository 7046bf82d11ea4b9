/** A table of Markdown; the head is its first line. */
export function table(head: string, rows: readonly string[]): string {
  const line = head.replace(/[^|]+/g, '---');
  return [head, line, ...rows, ''].join('\n');
}

/** A link to a heading of the same page, as GitHub names it. */
export function linkTo(heading: string, text = heading): string {
  return `[${text}](#${heading
    .toLowerCase()
    .replaceAll(' ', '-')
    .replace(/[^\w-]/g, '')})`;
}

export function namesOf(list: readonly string[]): string {
  return list.map((name) => `\`${name}\``).join(', ');
}
