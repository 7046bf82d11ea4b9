import { expect, test } from 'vitest';
import { analyse } from './analyse.ts';
import { sampleCatalogue } from './catalogue/catalogue.sample.ts';

const stages = (text: string) =>
  analyse(text, sampleCatalogue).problems.map(
    ({ stage, severity, start, end }) => `${stage} ${severity}: ${text.slice(start, end)}`,
  );

test('what is wrong with the text and with its meaning is told together, in the order of the text', () => {
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

test('a mistake in the text alone is enough to have no query', () => {
  const { document, query } = analyse('{ source { LW_HE_USERS } return { MID, } }', sampleCatalogue);
  expect(document).toBeDefined();
  expect(query).toBeUndefined();
});

test('a text that can not be read has neither a tree nor a query', () => {
  const analysis = analyse('{ source { LW_HE_USERS } }', sampleCatalogue);
  expect(analysis).toMatchObject({ document: undefined, query: undefined, problems: [{ stage: 'syntax' }] });
});

test('a warning does not stand in the way', () => {
  const { query, problems } = analyse(
    '{ source { LW_HE_USERS } filter { MID != 1 } return { MID } }',
    sampleCatalogue,
  );
  expect(query).toBeDefined();
  expect(problems).toMatchObject([{ severity: 'warning' }]);
});
