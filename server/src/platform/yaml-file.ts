import { isMap, isNode, isSeq, type ParsedNode, parseDocument } from 'yaml';
import type { Validator } from './validator.ts';

/** A problem in a hand-written file, with its line. */
export class YamlError extends Error {
  override readonly name = 'YamlError';
}

/** A hand-written YAML file: its value, and the lines of its members. */
export class YamlFile {
  readonly value: unknown;
  readonly #name: string;
  readonly #contents: ParsedNode | null;
  readonly #source: string;

  constructor(name: string, source: string) {
    this.#name = name;
    this.#source = source;
    const document = parseDocument(source, {
      prettyErrors: false,
      // The keys 1 and '1' are equal after parsing.
      uniqueKeys: (one, other) => String(one) === String(other),
    });
    this.#contents = document.contents;
    const error = document.errors[0];
    if (error) throw this.#problemAt(error.pos[0], error.message.replace(/\.?$/, '.'));
    this.value = document.toJS();
  }

  check(validator: Validator): void {
    const problem = validator.problems(this.value)[0];
    if (problem) throw this.problem(problem.path, problem.message);
  }

  /** The message with the line of the affected member, or of the closest enclosing one. */
  problem(path: readonly string[], message: string): YamlError {
    let node: unknown = this.#contents;
    let offset = 0;
    for (const segment of path) {
      const pair = isMap(node) ? node.items.find(({ key }) => String(key) === segment) : undefined;
      const located = isSeq(node) ? node.items[Number(segment)] : pair?.key;
      if (!isNode(located) || !located.range) break;
      offset = located.range[0];
      node = pair ? pair.value : located;
    }
    return this.#problemAt(offset, message);
  }

  #problemAt(offset: number, message: string): YamlError {
    const line = this.#source.slice(0, offset).split('\n').length;
    return new YamlError(`${this.#name}:${line}: ${message}`);
  }
}
