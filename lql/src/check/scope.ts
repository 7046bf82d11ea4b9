import type { Catalogue, Column, Datasource } from '../catalogue/catalogue.ts';
import type { Block, ColumnReference, Name, SourceItem } from '../syntax/tree.ts';
import type { Checked } from './checked.ts';
import type { Problems } from './problems.ts';
import type { Repetition } from './repetition.ts';
import type { Spelling } from './spelling.ts';

/** A source by the name that the block gives it. */
export interface NamedSource {
  readonly name: string;
  /** Its place in the block. */
  readonly place: number;
  /** Undefined when the datasource is not known: then every column may be one of it. */
  readonly columns: ReadonlyMap<string, Column> | undefined;
  /** An expansion has one column, the item. */
  readonly isExpansion: boolean;
}

/** What all blocks of a query share. */
export interface Surroundings {
  readonly catalogue: Catalogue;
  readonly problems: Problems;
  readonly spelling: Spelling;
  readonly repetition: Repetition;
}

/** The sources of a block that are known so far, and what their columns are called. */
export class Scope {
  readonly sources: NamedSource[] = [];
  readonly #byName = new Map<string, NamedSource>();
  readonly #byColumn = new Map<string, NamedSource[]>();
  readonly #block: Block;
  readonly #surroundings: Surroundings;
  readonly #outer: Scope | undefined;
  #hasUnknown = false;

  constructor(block: Block, surroundings: Surroundings, outer: Scope | undefined) {
    this.#block = block;
    this.#surroundings = surroundings;
    this.#outer = outer;
  }

  addDatasource(name: Name, datasource: Datasource | undefined): NamedSource {
    return this.#add(name, datasource && columnsOf(datasource), false);
  }

  addExpansion(name: Name, column: string): NamedSource {
    return this.#add(name, new Map([[column, { name: column, type: 'Json' }]]), true);
  }

  /** The source that `name.*` and `name.column` speak of. */
  find(name: Name): NamedSource | undefined {
    return this.#byName.get(name.text) ?? this.#unknownSource(name);
  }

  hasSource(name: string): boolean {
    return this.#byName.has(name);
  }

  hasColumn(name: string): boolean {
    return this.#byColumn.has(name);
  }

  resolve(reference: ColumnReference): Checked | undefined {
    const { source, column } = reference;
    if (source) {
      const found = this.find(source);
      if (!found?.columns) return undefined;
      return this.valueOf(found, column.text) ?? this.#unknownColumn(column, found);
    }
    const [found, ...others] = this.#byColumn.get(column.text) ?? [];
    if (found && others.length === 0) return this.valueOf(found, column.text);
    if (found) return this.#ambiguous(column, [found, ...others]);
    return this.#hasUnknown ? undefined : this.#unknownColumn(column);
  }

  valueOf(source: NamedSource, name: string): Checked | undefined {
    const column = source.columns?.get(name);
    if (!column) return undefined;
    return source.isExpansion
      ? { kind: 'item', type: 'Json', source: source.place }
      : { kind: 'column', type: column.type, source: source.place, column: name };
  }

  #add(name: Name, columns: NamedSource['columns'], isExpansion: boolean): NamedSource {
    const added = { name: name.text, place: this.sources.length, columns, isExpansion };
    if (this.#byName.has(name.text))
      this.#surroundings.problems.error(
        name,
        `Two sources are called ${name.text}: give one of them another name, as in \`${name.text} other\`.`,
      );
    else this.#byName.set(name.text, added);
    this.sources.push(added);
    this.#hasUnknown ||= !columns;
    for (const column of columns?.keys() ?? []) {
      const having = this.#byColumn.get(column);
      if (having) having.push(added);
      else this.#byColumn.set(column, [added]);
    }
    return added;
  }

  #unknownSource(name: Name): undefined {
    const { problems, spelling } = this.#surroundings;
    for (const item of flattened(this.#block.sources)) {
      if (nameOf(item).text === name.text)
        return problems.error(
          name,
          `${name.text} comes later in \`source\`: an expansion can only use what is named before it.`,
        );
      if (item.kind === 'connected' && item.datasource.text === name.text && item.alias)
        return problems.error(
          name,
          `${name.text} is called ${item.alias.text} here: write \`${item.alias.text}\`.`,
          {
            start: name.start,
            end: name.end,
            text: item.alias.text,
          },
        );
    }
    if (this.#outer?.hasSource(name.text)) return problems.error(name, this.#outside(name.text));
    const { text, fix } = spelling.suggest(name, this.#byName.keys(), this.#listed());
    return problems.error(name, `No source is called ${name.text}.${text}`, fix);
  }

  #unknownColumn(column: Name, of?: NamedSource): undefined {
    const { problems, spelling } = this.#surroundings;
    if (!of && this.#byName.has(column.text))
      return problems.error(
        column,
        `${column.text} is a source, not a column: write \`${column.text}.\` and one of its columns.`,
      );
    if (!of && this.#outer?.hasColumn(column.text)) return problems.error(column, this.#outside(column.text));
    const { text, fix } = spelling.suggest(
      column,
      of?.columns?.keys() ?? this.#byColumn.keys(),
      of ? '' : `If a text is meant, write it in quotes: \`'${column.text}'\`.`,
    );
    const who = of ? `${of.name} has no column` : 'No source has a column';
    return problems.error(column, `${who} ${column.text}.${text}`, fix);
  }

  #ambiguous(column: Name, sources: readonly NamedSource[]): undefined {
    const ways = sources.map(({ name }) => `${name}.${column.text}`);
    const [first] = ways;
    return this.#surroundings.problems.error(
      column,
      `${column.text} is in several sources: write \`${ways.slice(0, 5).join('` or `')}\`.`,
      { start: column.start, end: column.end, text: first as string },
    );
  }

  #outside(name: string): string {
    return `${name} belongs to the query around this one. A query in braces sees its own sources only.`;
  }

  #listed(): string {
    const names = [...this.#byName.keys()];
    return names.length > 0 && names.length <= 5
      ? `There ${names.length > 1 ? 'are' : 'is'} ${names.join(', ')}.`
      : '';
  }
}

/** How a source is called in its block. */
export function nameOf(item: SourceItem): Name {
  if (item.kind === 'connected') return item.alias ?? item.datasource;
  return item.table ?? item.column;
}

/** Sources in the order of their places: those that are joined follow the one that they are joined to. */
export function* flattened(items: readonly SourceItem[]): Generator<SourceItem> {
  const waiting: SourceItem[] = [...items].reverse();
  for (let item = waiting.pop(); item; item = waiting.pop()) {
    yield item;
    if (item.kind === 'connected') for (const branch of item.branches.toReversed()) waiting.push(branch.to);
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
