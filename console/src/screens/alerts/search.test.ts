import { describe, expect, test } from 'vitest';
import { filtersOf, rangeLength, readAlertsSearch } from './search.ts';

describe('the parameters of the alert list', () => {
  test('have defaults that are not written', () => {
    expect(readAlertsSearch({ status: 'open', from: '-7d', q: '', sort: 'severity' })).toEqual({});
    expect(filtersOf({})).toEqual({ severities: [], status: 'open', from: '-7d' });
  });

  test('are read in any order and case', () => {
    const search = readAlertsSearch({
      severity: 'HIGH,critical',
      status: 'all',
      from: '-30d',
      sort: 'newest',
    });
    expect(search).toEqual({ severity: 'critical,high', status: 'all', from: '-30d', sort: 'newest' });
    expect(filtersOf(search)).toEqual({ severities: ['Critical', 'High'], status: 'all', from: '-30d' });
  });

  test('that are not known are dropped', () => {
    expect(readAlertsSearch({ severity: 'grave', status: 'gone', from: 'yesterday', sort: 'x' })).toEqual({});
  });

  test('without effect are dropped: all severities', () => {
    expect(readAlertsSearch({ severity: 'critical,high,medium,low,info' })).toEqual({});
  });
});

test.each([
  ['-1h', 3_600_000],
  ['-90d', 90 * 86_400_000],
  ['-2w', 14 * 86_400_000],
  ['-0d', undefined],
  ['-9999w', undefined],
  ['7d', undefined],
])('the range %s is %s milliseconds long', (from, length) => {
  expect(rangeLength(from)).toBe(length);
});
