import { widthOf } from '../width.ts';

const place = /^(?:Warning: line|Line) (\d+), column (\d+), /;
/** Columns of a terminal that are shown before the place. */
const before = 70;
const after = 40;

/** What the server says of a query, with the line that each problem is about and a mark under its place. */
export function withPlaces(message: string, query: string): string {
  const lines = query.split(/\r\n|\r|\n/);
  return message
    .split('\n')
    .flatMap((said) => {
      const sentence = said.replace(/^Unable to translate due to: /, '');
      const [, line, column] = place.exec(sentence) ?? [];
      const shown = line === undefined ? undefined : lines[Number(line) - 1];
      return shown === undefined ? [sentence] : [sentence, ...marked(shown, Number(column))];
    })
    .join('\n');
}

function marked(line: string, column: number): string[] {
  const characters = [...line.replaceAll('\t', ' ')];
  const start = Math.max(0, column - 1 - before);
  const [left, right] = [
    characters.slice(start, column - 1),
    characters.slice(column - 1, column - 1 + after),
  ];
  const cut = start > 0 ? '…' : '';
  const more = column - 1 + after < characters.length ? '…' : '';
  const indent = ' '.repeat(widthOf(`${cut}${left.join('')}`));
  return [`  ${cut}${left.join('')}${right.join('')}${more}`, `  ${indent}^`];
}
