import { describe, expect, test } from 'vitest';
import { analyse } from '../analyse.ts';
import { sampleCatalogue } from '../catalogue/catalogue.sample.ts';
import { corpus } from '../syntax/corpus.sample.ts';
import { positionOf } from '../text/position.ts';

const errorsOf = (text: string) =>
  analyse(text, sampleCatalogue).problems.filter(({ severity }) => severity === 'error');

describe('the corpus', () => {
  const refused = corpus.filter(({ fails }) => fails === 'semantic');

  test.each(refused)('$id is rejected once, at the right position', ({ text, at, says }) => {
    const [error, ...more] = errorsOf(text);
    const { line, column } = positionOf(text, error?.start ?? 0);
    expect({ stage: error?.stage, at: `${line}:${column}` }).toEqual({ stage: 'semantic', at });
    expect(error?.message).toContain(says);
    expect(more).toEqual([]);
  });

  const read = corpus.filter(({ fails }) => fails === undefined);

  test('passes, or reports the datasource, column or relationship that the catalogue lacks', () => {
    const other = read.flatMap(({ id, text }) =>
      errorsOf(text)
        .filter(
          ({ message }) => !/^There is no datasource|has no column|has a column|^Cannot find/.test(message),
        )
        .map(({ message }) => `${id}: ${message}`),
    );
    expect(other).toEqual([]);
    expect(read.filter(({ text }) => errorsOf(text).length === 0).length).toBeGreaterThan(read.length / 3);
  });
});
