import { expect, test } from 'vitest';
import { analyse } from './analyse.ts';
import { sampleCatalogue } from './catalogue/catalogue.sample.ts';

const stages = (text: string) =>
  analyse(text, sampleCatalogue).problems.map(
    ({ stage, severity, start, end }) => `${stage} ${severity}: ${text.slice(start, end)}`,
  );

test('reports syntax and semantic problems together, sorted by position', () => {
  const text = '{ source { LW_HE_USERS } filter { MIDD != 1 and USERNAME = 2 } return { HOME, MID, } }';
  expect(stages(text)).toEqual([
    'semantic error: MIDD',
    'syntax warning: !=',
    'semantic error: 2',
    'semantic error: HOME',
    'syntax error: ,',
  ]);
  expect(analyse(text, sampleCatalogue).query).toBeUndefined();
});

test('a syntax error alone gives no query', () => {
  const { document, query } = analyse('{ source { LW_HE_USERS } return { MID, } }', sampleCatalogue);
  expect(document).toBeDefined();
  expect(query).toBeUndefined();
});

test('input that cannot be parsed has neither a tree nor a query', () => {
  const analysis = analyse('{ source { LW_HE_USERS } }', sampleCatalogue);
  expect(analysis).toMatchObject({ document: undefined, query: undefined, problems: [{ stage: 'syntax' }] });
});

test('a warning still gives a query', () => {
  const { query, problems } = analyse(
    '{ source { LW_HE_USERS } filter { MID != 1 } return { MID } }',
    sampleCatalogue,
  );
  expect(query).toBeDefined();
  expect(problems).toMatchObject([{ severity: 'warning' }]);
});
