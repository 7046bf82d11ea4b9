import type { Catalogue, Column, Datasource } from '../catalogue/catalogue.ts';
import type { Block, ColumnReference, Name } from '../syntax/tree.ts';
import type { CheckedExpression } from './checked.ts';
import type { Problems } from './problems.ts';
import type { QueryLimits } from './query-limits.ts';
import type { Repetition } from './repetition.ts';
import { flattened, nameOf } from './source-items.ts';
import type { Spelling } from './spelling.ts';

export interface NamedSource {
  readonly name: string;
  /** Index in the block. */
  readonly index: number;
  /** Undefined for an unknown datasource: then any column may belong to it. */
  readonly columns: ReadonlyMap<string, Column> | undefined;
  /** An expansion has a single column, the item. */
  readonly isExpansion: boolean;
}

/** Shared by all blocks of a query. */
export interface QueryContext {
  readonly catalogue: Catalogue;
  readonly problems: Problems;
  readonly spelling: Spelling;
  readonly repetition: Repetition;
  readonly limits: QueryLimits;
}

/** Sources of a block declared so far, and their columns. */
export class Scope {
  readonly sources: NamedSource[] = [];
  readonly #byName = new Map<string, NamedSource>();
  readonly #byColumn = new Map<string, NamedSource[]>();
  readonly #block: Block;
  readonly #queryContext: QueryContext;
  readonly #outer: Scope | undefined;
  readonly #reported = new Set<string>();
  #hasUnknown = false;

  constructor(block: Block, queryContext: QueryContext, outer: Scope | undefined) {
    this.#block = block;
    this.#queryContext = queryContext;
    this.#outer = outer;
  }

  addDatasource(name: Name, datasource: Datasource | undefined): NamedSource {
    return this.#add(name, datasource && columnsOf(datasource), false);
  }

  addExpansion(name: Name, column: string): NamedSource {
    return this.#add(name, new Map([[column, { name: column, type: 'Json' }]]), true);
  }

  find(name: Name): NamedSource | undefined {
    const source = this.#byName.get(name.text);
    if (source || this.#isReported(`${name.text}.`)) return source;
    return this.#unknownSource(name);
  }

  hasSource(name: string): boolean {
    return this.#byName.has(name);
  }

  hasColumn(name: string): boolean {
    return this.#byColumn.has(name);
  }

  resolve(reference: ColumnReference): CheckedExpression | undefined {
    const { source, column } = reference;
    if (source) {
      const candidate = this.find(source);
      if (!candidate?.columns) return undefined;
      return this.valueOf(candidate, column.text) ?? this.#unknownColumn(column, candidate);
    }
    const candidates = this.#byColumn.get(column.text) ?? [];
    const [candidate] = candidates;
    if (candidate && candidates.length === 1) return this.valueOf(candidate, column.text);
    if (candidate) return this.#ambiguous(column, candidates);
    return this.#hasUnknown ? undefined : this.#unknownColumn(column);
  }

  valueOf(source: NamedSource, name: string): CheckedExpression | undefined {
    const column = source.columns?.get(name);
    if (!column) return undefined;
    return source.isExpansion
      ? { kind: 'item', type: 'Json', source: source.index }
      : { kind: 'column', type: column.type, source: source.index, column: name };
  }

  #add(name: Name, columns: NamedSource['columns'], isExpansion: boolean): NamedSource {
    const added = { name: name.text, index: this.sources.length, columns, isExpansion };
    if (this.#byName.has(name.text))
      this.#queryContext.problems.error(
        name,
        `Two sources are named ${name.text}: give one an alias, as in \`${name.text} other\`.`,
      );
    else this.#byName.set(name.text, added);
    this.sources.push(added);
    this.#hasUnknown ||= !columns;
    for (const column of columns?.keys() ?? []) {
      const candidates = this.#byColumn.get(column);
      if (candidates) candidates.push(added);
      else this.#byColumn.set(column, [added]);
    }
    return added;
  }

  /** Whether a name was reported already, or the limit is reached. */
  #isReported(name: string): boolean {
    const isReported = this.#reported.has(name) || this.#reported.size >= 100;
    this.#reported.add(name);
    return isReported;
  }

  #unknownSource(name: Name): undefined {
    const { problems, spelling } = this.#queryContext;
    for (const item of flattened(this.#block.sources)) {
      if (nameOf(item).text === name.text)
        return problems.error(
          name,
          `${name.text} comes later in \`source\`: an expansion can only use sources before it.`,
        );
      if (item.kind === 'connected' && item.datasource.text === name.text && item.alias)
        return problems.error(
          name,
          `${name.text} is called ${item.alias.text} here: write \`${item.alias.text}\`.`,
          { start: name.start, end: name.end, text: item.alias.text },
        );
    }
    if (this.#outer?.hasSource(name.text)) return problems.error(name, this.#outside(name.text));
    const { text, fix } = spelling.suggest(name, this.#byName.keys(), this.#available());
    return problems.error(name, `There is no source ${name.text}.${text}`, fix);
  }

  #unknownColumn(column: Name, of?: NamedSource): undefined {
    const { problems, spelling } = this.#queryContext;
    if (this.#isReported(`${of?.name ?? ''}.${column.text}`)) return undefined;
    if (!of && this.#byName.has(column.text))
      return problems.error(
        column,
        `${column.text} is a source, not a column: write \`${column.text}.\` and one of its columns.`,
      );
    if (!of && this.#outer?.hasColumn(column.text)) return problems.error(column, this.#outside(column.text));
    const isString = !of && /[a-z]/.test(column.text);
    const { text, fix } = spelling.suggest(
      column,
      of?.columns?.keys() ?? this.#byColumn.keys(),
      isString ? `If a string is meant, write it in quotes: \`'${column.text}'\`.` : '',
    );
    const only = of ?? (this.sources.length === 1 ? this.sources[0] : undefined);
    const subject = only ? `${only.name} has no column` : 'No source has a column';
    return problems.error(column, `${subject} ${column.text}.${text}`, fix);
  }

  #ambiguous(column: Name, sources: readonly NamedSource[]): undefined {
    if (this.#isReported(`.${column.text}`)) return undefined;
    const qualified = sources.slice(0, 5).map(({ name }) => `${name}.${column.text}`);
    const [first] = qualified;
    return this.#queryContext.problems.error(
      column,
      `${column.text} is in several sources: write \`${qualified.join('` or `')}\`.`,
      { start: column.start, end: column.end, text: first as string },
    );
  }

  #outside(name: string): string {
    return `${name} belongs to the enclosing query. A subquery in braces can only use its own sources.`;
  }

  #available(): string {
    const names = [...this.#byName.keys()];
    return names.length > 0 && names.length <= 5
      ? `There ${names.length > 1 ? 'are' : 'is'} ${names.join(', ')}.`
      : '';
  }
}

const columnMaps = new WeakMap<Datasource, ReadonlyMap<string, Column>>();

function columnsOf(datasource: Datasource): ReadonlyMap<string, Column> {
  let columns = columnMaps.get(datasource);
  if (!columns) {
    columns = new Map(datasource.columns.map((column) => [column.name, column]));
    columnMaps.set(datasource, columns);
  }
  return columns;
}
