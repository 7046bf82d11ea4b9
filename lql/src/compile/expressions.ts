import { type FunctionDeclaration, functions } from '../catalogue/functions.ts';
import type {
  CheckedArithmetic,
  CheckedBlock,
  CheckedCall,
  CheckedCase,
  CheckedExpression,
  CheckedInSubquery,
  CheckedLogical,
  CheckedNegative,
  CheckedPattern,
} from '../check/checked.ts';
import { Arithmetic } from './arithmetic.ts';
import type { BlockSql } from './block.ts';
import { composed, isComposed } from './composed.ts';
import type { Sql, Writer } from './dialect.ts';
import type { Numeric } from './numbers.ts';
import type { Bind } from './tables.ts';
import { constantString, type ExtractedPath, type Value, type Values } from './values.ts';

/** Resolves sources of a block to SQL. */
export interface SourceColumns {
  column(source: number, column: string): Sql;
  /** The extracted column of a path, if the tables have one. */
  extracted(source: number, column: string, keys: readonly string[]): ExtractedPath | undefined;
  item(source: number): Sql;
}

export interface CompileContext {
  readonly writer: Writer;
  readonly values: Values;
  readonly bind: Bind;
  readonly now: number;
  subquery(block: CheckedBlock): BlockSql;
}

/** Compiles the expressions of one block to SQL. */
export class Expressions {
  private readonly context: CompileContext;
  private readonly sources: SourceColumns;
  private readonly writer: Writer;
  private readonly values: Values;

  constructor(context: CompileContext, sources: SourceColumns) {
    this.context = context;
    this.sources = sources;
    this.writer = context.writer;
    this.values = context.values;
  }

  /** For filters, where false and null are equivalent. */
  condition(checked: CheckedExpression): Sql {
    if (checked.kind === 'logical') return this.logical(checked, (value) => this.condition(value));
    if (checked.kind === 'inSubquery') return this.inSubquery(checked, false);
    return this.sql(checked);
  }

  /** Every visited operand must be used in the statement, because it may bind parameters. */
  value(checked: CheckedExpression): Value {
    if (checked.type === 'Null') return { type: 'Null' };
    switch (checked.kind) {
      case 'constant':
        return this.values.constant(checked);
      case 'column':
        return this.values.ofColumn(checked.type, this.sources.column(checked.source, checked.column));
      case 'item':
        return { type: 'Json', sql: this.sources.item(checked.source), keys: [] };
      case 'path': {
        const of = this.values.converted(this.value(checked.of), 'Json');
        if (of.type !== 'Json') return of;
        const column = checked.of.kind === 'column' ? checked.of : undefined;
        const extracted = column && this.sources.extracted(column.source, column.column, checked.keys);
        return { ...of, keys: [...of.keys, ...checked.keys], extracted };
      }
      case 'conversion':
        return this.values.converted(this.value(checked.of), checked.type);
      case 'call':
        return this.call(checked);
      case 'case':
        return this.caseExpression(checked);
      case 'negative':
      case 'arithmetic':
        return { type: 'Number', number: this.arithmetic(checked) };
      case 'concatenation':
        return { type: 'String', sql: this.writer.concatenated(this.operands(checked)) };
      default:
        return { type: 'Boolean', sql: this.test(checked) };
    }
  }

  private test(checked: Extract<CheckedExpression, { type: 'Boolean' }>): Sql {
    switch (checked.kind) {
      case 'comparison':
        if (checked.left.type === 'Null' || checked.right.type === 'Null')
          return this.writer.nullOf('Boolean');
        return `(${this.values.compared(checked.operator, this.value(checked.left), this.value(checked.right))})`;
      case 'inList':
        return this.inList(this.value(checked.value), checked.values);
      case 'inSubquery':
        return this.inSubquery(checked, true);
      case 'pattern':
        return this.pattern(checked);
      case 'nullTest': {
        const value = this.value(checked.value);
        if (!checked.json) return `(${this.values.isNull(value)})`;
        if (value.type !== 'Json') return this.writer.nullOf('Boolean');
        return this.writer.json.is('null', value.sql, value.keys);
      }
      case 'not':
        return `(not ${this.sql(checked.of)})`;
      case 'logical':
        return this.logical(checked, (value) => this.sql(value));
    }
  }

  private sql(checked: CheckedExpression): Sql {
    const value = this.value(checked);
    return value.type === 'Null' ? this.writer.nullOf('Boolean') : this.values.sql(value);
  }

  private arithmetic(checked: CheckedArithmetic | CheckedNegative): Numeric {
    const { numbers } = this.values;
    const number = (of: CheckedExpression) => this.values.number(this.value(of));
    if (checked.kind === 'arithmetic' && checked.operator === '/')
      return numbers.divided(number(checked.left), number(checked.right));
    return new Arithmetic(this.writer, numbers, number).computed(checked);
  }

  private logical({ operator, values }: CheckedLogical, each: (value: CheckedExpression) => Sql): Sql {
    return `(${values.map(each).join(` ${operator} `)})`;
  }

  /** Flattens a chain, because engines limit the depth of expressions. */
  private operands(checked: CheckedExpression): Sql[] {
    const operands: Sql[] = [];
    const pending = [checked];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (next.kind === 'concatenation') pending.push(next.right, next.left);
      else operands.push(this.values.string(this.value(next)));
    }
    return operands;
  }

  private inList(value: Value, constants: readonly CheckedExpression[]): Sql {
    if (value.type === 'Null') return this.writer.nullOf('Boolean');
    const values = constants.map((each) => this.value(each));
    if (value.type !== 'Number') {
      const candidates = values.map((each) =>
        value.type === 'Json' ? this.values.string(each) : this.values.sql(each),
      );
      const own = value.type === 'Json' ? this.values.string(value) : this.values.sql(value);
      return `(${own} in (${candidates.join(', ')}))`;
    }
    const { numbers } = this.values;
    const candidates = values.map((each) => this.values.number(each));
    const { number } = value;
    if (
      number.form !== 'mixed' &&
      number.form !== 'double' &&
      candidates.every(({ form }) => form === 'integer')
    )
      return `(${number.sql} in (${candidates.map(({ sql }) => sql).join(', ')}))`;
    if (candidates.every(({ form, small }) => form === 'double' || small))
      return `(${numbers.double(number)} in (${candidates.map((each) => numbers.double(each)).join(', ')}))`;
    return this.writer.once(
      [number.sql],
      (sql) =>
        `(${candidates.map((each) => numbers.compared('=', { form: number.form, sql }, each)).join(' or ')})`,
    );
  }

  private inSubquery({ values, block }: CheckedInSubquery, unknown: boolean): Sql {
    if (values.some(({ type }) => type === 'Null')) return this.writer.nullOf('Boolean');
    const { values: returned, select } = this.context.subquery(block);
    const pairs = values.map((each, at) =>
      this.values.keys(this.value(each), returned[at] ?? { type: 'Null' }),
    );
    return this.writer.inSubquery(
      pairs.map(([own]) => own),
      select(pairs.map(([, other], at) => `${other} as k${at}`)),
      unknown,
    );
  }

  private pattern({ operator, value, patterns }: CheckedPattern): Sql {
    const string = this.values.string(this.value(value));
    const tests = patterns.map((pattern) => {
      const constant = constantString(pattern);
      const operand =
        constant === undefined ? { sql: this.values.string(this.value(pattern)) } : { constant };
      return this.writer.matches(operator, string, operand);
    });
    return `(${tests.join(' or ')})`;
  }

  private caseExpression({ type, branches, otherwise }: CheckedCase): Value {
    const conditions = branches.map(({ when }) => this.condition(when));
    const results = branches.map(({ then }) => this.value(then));
    const last: Value = otherwise === undefined ? { type: 'Null' } : this.value(otherwise);
    return this.values.unified(type, [...results, last], (all) => {
      const cases = conditions.map((condition, at) => `when ${condition} then ${all[at]}`);
      return `case ${cases.join(' ')} else ${all.at(-1)} end`;
    });
  }

  private call({ name, type, values }: CheckedCall): Value {
    const { parameters }: FunctionDeclaration = functions[name];
    const args = values.map((value, at) => {
      const type = parameters[at]?.type ?? 'Any';
      return type === 'Any' || value.type !== 'Null' ? this.value(value) : this.values.nullOf(type);
    });
    if (isComposed(name)) {
      const { writer, bind, now } = this.context;
      return composed[name](args, { values: this.values, writer, bind, now });
    }
    const sqls = args.map((value) =>
      value.type === 'Number' ? this.values.numbers.integer(value.number) : this.values.sql(value),
    );
    const sql = this.writer.functions[name](...sqls);
    if (type === 'Number') return { type, number: { form: 'integer', sql } };
    return type === 'Null' ? { type } : this.values.ofColumn(type, sql);
  }
}
