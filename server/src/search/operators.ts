interface Operator {
  readonly uses: 'value' | 'values' | 'nothing';
  /** Compares the stored value itself, or its string form. */
  readonly reads?: 'scalar' | 'string';
  readonly negates?: string;
}

/** The operators of the search request. One that negates another is its exact complement. */
export const operators = {
  eq: { uses: 'value', reads: 'scalar' },
  ne: { uses: 'value', negates: 'eq' },
  in: { uses: 'values', reads: 'scalar' },
  not_in: { uses: 'values', negates: 'in' },
  like: { uses: 'value', reads: 'string' },
  not_like: { uses: 'value', negates: 'like' },
  ilike: { uses: 'value', reads: 'string' },
  not_ilike: { uses: 'value', negates: 'ilike' },
  rlike: { uses: 'value', reads: 'string' },
  not_rlike: { uses: 'value', negates: 'rlike' },
  gt: { uses: 'value', reads: 'scalar' },
  lt: { uses: 'value', reads: 'scalar' },
  ge: { uses: 'value', reads: 'scalar' },
  le: { uses: 'value', reads: 'scalar' },
  between: { uses: 'values', reads: 'scalar' },
  expr: { uses: 'nothing' },
} as const satisfies Record<string, Operator>;

type Table = typeof operators;

export type OperatorName = keyof Table;

type TestsReading<Reads> = {
  [Name in OperatorName]: Table[Name] extends { reads: Reads } ? Name : never;
}[OperatorName];

export type ScalarTest = TestsReading<'scalar'>;
export type StringTest = TestsReading<'string'>;

/** The test of a filter, before negation. */
export type Test = ScalarTest | StringTest;

export const operatorNames = Object.keys(operators) as OperatorName[];

/** All except reserved operators. */
export const usableOperators = operatorNames.filter((name) => operators[name].uses !== 'nothing');

export function isOperator(name: string): name is OperatorName {
  return Object.hasOwn(operators, name);
}

export function readsString(test: Test): test is StringTest {
  return operators[test].reads === 'string';
}

/** The test of an operator and whether it is negated; undefined for a reserved operator. */
export function testOf(name: OperatorName): { test: Test; negated: boolean } | undefined {
  const operator: Operator = operators[name];
  if (operator.uses === 'nothing') return undefined;
  return operator.negates
    ? { test: operator.negates as Test, negated: true }
    : { test: name as Test, negated: false };
}
