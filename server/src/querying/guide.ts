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
  /** Words after `lql`: `error` if it is refused, `warning` if it runs with one, `policy` if it is the query of a policy. */
  readonly marks: readonly string[];
}

const example = /^```lql((?: \w+)*)\n([\s\S]*?)^```\n(?:\n```(json|text) output\n[\s\S]*?^```\n)?/gm;
const listed = /(?<=<!-- functions -->\n)[\s\S]*(?=<!-- end of functions -->)/;

/**
 * The page on the query language, with the functions as they are declared, and after its examples what `answer` gives: rows
 * or the complaint. An example that shows neither is only run.
 */
export async function renewed(page: string, answer: (example: Example) => Promise<string>): Promise<string> {
  let [made, from] = ['', 0];
  for (const found of page.matchAll(example)) {
    const [whole, marks = '', text = '', kind] = found;
    const said = await answer({ text: text.trimEnd(), marks: marks.split(' ').filter(Boolean) });
    const query = `\`\`\`lql${marks}\n${text}\`\`\`\n`;
    made += `${page.slice(from, found.index)}${query}${kind ? `\n\`\`\`${kind} output\n${said}\n\`\`\`\n` : ''}`;
    from = found.index + whole.length;
  }
  return `${made}${page.slice(from)}`.replace(listed, () => functionTable());
}

function functionTable(): string {
  const rows = Object.entries<FunctionDeclaration>(functions).map(
    ([name, { result, description, deprecated }]) =>
      `| \`${signature(name as FunctionName)}\` | ${result} | ${description}${deprecated ? ' Deprecated.' : ''} |`,
  );
  return `\n${table('| function | type | result |', rows)}\n`;
}
