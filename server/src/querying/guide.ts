import {
  type FunctionDeclaration,
  type FunctionName,
  functions,
  signature,
} from '@vedette/lql/catalogue/functions';
import { table } from '../telemetry/markdown.ts';

/** A query of the guide with the marks of its code block. */
export interface Example {
  readonly text: string;
  /** Words after `lql`: `error` if it is rejected, `warning` if it runs with one, `policy` if it is the query of a policy. */
  readonly marks: readonly string[];
}

const example = /^```lql((?: \w+)*)\n([\s\S]*?)^```\n(?:\n```(json|text) output\n[\s\S]*?^```\n)?/gm;
const functionSection = /(?<=<!-- functions -->\n)[\s\S]*(?=<!-- end of functions -->)/;

/**
 * Regenerates the page on the query language: the table of functions, and after each example the output of
 * `outputOf`, which is rows or problems. An example without output is only run.
 */
export async function regenerated(
  page: string,
  outputOf: (example: Example) => Promise<string>,
): Promise<string> {
  let [output, from] = ['', 0];
  for (const match of page.matchAll(example)) {
    const [codeBlock, marks = '', text = '', kind] = match;
    const exampleOutput = await outputOf({ text: text.trimEnd(), marks: marks.split(' ').filter(Boolean) });
    const query = `\`\`\`lql${marks}\n${text}\`\`\`\n`;
    output += `${page.slice(from, match.index)}${query}${kind ? `\n\`\`\`${kind} output\n${exampleOutput}\n\`\`\`\n` : ''}`;
    from = match.index + codeBlock.length;
  }
  return `${output}${page.slice(from)}`.replace(functionSection, () => functionTable());
}

function functionTable(): string {
  const rows = Object.entries<FunctionDeclaration>(functions).map(
    ([name, { result, description, deprecated }]) =>
      `| \`${signature(name as FunctionName)}\` | ${result} | ${description}${deprecated ? ' Deprecated.' : ''} |`,
  );
  return `\n${table('| function | type | result |', rows)}\n`;
}
