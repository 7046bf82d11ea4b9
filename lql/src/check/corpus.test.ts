import { describe, expect, test } from 'vitest';
import { analyse } from '../analyse.ts';
import { sampleCatalogue } from '../catalogue/catalogue.sample.ts';
import { corpus } from '../syntax/corpus.sample.ts';
import { positionOf } from '../text/position.ts';

const errorsOf = (text: string) =>
  analyse(text, sampleCatalogue).problems.filter(({ severity }) => severity === 'error');

describe('the corpus', () => {
  const rejected = corpus.filter(({ fails }) => fails === 'semantic');

  test.each(rejected)('$id is rejected once, at the right position', ({ text, at, says }) => {
    const [error, ...more] = errorsOf(text);
    const { line, column } = positionOf(text, error?.start ?? 0);
    expect({ stage: error?.stage, at: `${line}:${column}` }).toEqual({ stage: 'semantic', at });
    expect(error?.message).toContain(says);
    expect(more).toEqual([]);
  });

  const valid = corpus.filter(({ fails }) => fails === undefined);

  test('passes, or reports the datasource, column or relationship that the catalogue lacks', () => {
    const otherErrors = valid.flatMap(({ id, text }) =>
      errorsOf(text)
        .filter(
          ({ message }) => !/^There is no datasource|has no column|has a column|^Cannot find/.test(message),
        )
        .map(({ message }) => `${id}: ${message}`),
    );
    expect(otherErrors).toEqual([]);
    expect(valid.filter(({ text }) => errorsOf(text).length === 0).length).toBeGreaterThan(valid.length / 3);
  });
});
