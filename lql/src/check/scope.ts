import type { Catalogue, Column, Datasource } from '../catalogue/catalogue.ts';
import type { Block, ColumnReference, Name } from '../syntax/tree.ts';
import type { Checked } from './checked.ts';
import type { Extent } from './extent.ts';
import type { Problems } from './problems.ts';
import type { Repetition } from './repetition.ts';
import type { Spelling } from './spelling.ts';
import { flattened, nameOf } from './written-sources.ts';

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
  readonly extent: Extent;
}

/** The sources of a block that are known so far, and what their columns are called. */
export class Scope {
  readonly sources: NamedSource[] = [];
  readonly #byName = new Map<string, NamedSource>();
  readonly #byColumn = new Map<string, NamedSource[]>();
  readonly #block: Block;
  readonly #surroundings: Surroundings;
  readonly #outer: Scope | undefined;
  readonly #told = new Set<string>();
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
    const found = this.#byName.get(name.text);
    if (found || this.#isTold(`${name.text}.`)) return found;
    return this.#unknownSource(name);
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
    const having = this.#byColumn.get(column.text) ?? [];
    const [found] = having;
    if (found && having.length === 1) return this.valueOf(found, column.text);
    if (found) return this.#ambiguous(column, having);
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

  /** Whether a name was complained of already; a text full of wrong names need not be told of all. */
  #isTold(name: string): boolean {
    const isTold = this.#told.has(name) || this.#told.size >= 100;
    this.#told.add(name);
    return isTold;
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
          { start: name.start, end: name.end, text: item.alias.text },
        );
    }
    if (this.#outer?.hasSource(name.text)) return problems.error(name, this.#outside(name.text));
    const { text, fix } = spelling.suggest(name, this.#byName.keys(), this.#listed());
    return problems.error(name, `No source is called ${name.text}.${text}`, fix);
  }

  #unknownColumn(column: Name, of?: NamedSource): undefined {
    const { problems, spelling } = this.#surroundings;
    if (this.#isTold(`${of?.name ?? ''}.${column.text}`)) return undefined;
    if (!of && this.#byName.has(column.text))
      return problems.error(
        column,
        `${column.text} is a source, not a column: write \`${column.text}.\` and one of its columns.`,
      );
    if (!of && this.#outer?.hasColumn(column.text)) return problems.error(column, this.#outside(column.text));
    const isText = !of && /[a-z]/.test(column.text);
    const { text, fix } = spelling.suggest(
      column,
      of?.columns?.keys() ?? this.#byColumn.keys(),
      isText ? `If a text is meant, write it in quotes: \`'${column.text}'\`.` : '',
    );
    const only = of ?? (this.sources.length === 1 ? this.sources[0] : undefined);
    const who = only ? `${only.name} has no column` : 'No source has a column';
    return problems.error(column, `${who} ${column.text}.${text}`, fix);
  }

  #ambiguous(column: Name, sources: readonly NamedSource[]): undefined {
    if (this.#isTold(`.${column.text}`)) return undefined;
    const ways = sources.slice(0, 5).map(({ name }) => `${name}.${column.text}`);
    const [first] = ways;
    return this.#surroundings.problems.error(
      column,
      `${column.text} is in several sources: write \`${ways.join('` or `')}\`.`,
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

const columnMaps = new WeakMap<Datasource, ReadonlyMap<string, Column>>();

function columnsOf(datasource: Datasource): ReadonlyMap<string, Column> {
  let columns = columnMaps.get(datasource);
  if (!columns) {
    columns = new Map(datasource.columns.map((column) => [column.name, column]));
    columnMaps.set(datasource, columns);
  }
  return columns;
}
