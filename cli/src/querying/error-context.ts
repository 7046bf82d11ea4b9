import { widthOf } from '../width.ts';

const position = /^(?:Warning: line|Line) (\d+), column (\d+), /;
/** Terminal columns shown before and after the position. */
const before = 70;
const after = 40;

/** Adds the line of the query and a caret below the position to each problem. */
export function withSourceLines(message: string, query: string): string {
  const lines = query.split(/\r\n|\r|\n/);
  return message
    .split('\n')
    .flatMap((reported) => {
      const sentence = reported.replace(/^Unable to translate due to: /, '');
      const [, line, column] = position.exec(sentence) ?? [];
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
