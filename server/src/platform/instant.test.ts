import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatInstant, isTimestamp, parseInstant } from './instant.ts';

describe('parseInstant', () => {
  test.each([
    ['2024-05-01', '2024-05-01T00:00:00.000Z'],
    ['2024-05-01T13', '2024-05-01T13:00:00.000Z'],
    ['2024-05-01T13:04:05Z', '2024-05-01T13:04:05.000Z'],
    ['2024-05-01T13:04:05.678Z', '2024-05-01T13:04:05.678Z'],
    ['2024-05-01T13:04:05.6Z', '2024-05-01T13:04:05.600Z'],
    ['2024-05-01T13:04:05.123456789Z', '2024-05-01T13:04:05.123Z'],
    ['2024-05-01T13:04:05.123456789+02:00', '2024-05-01T11:04:05.123Z'],
    ['2024-05-01T13:04:05-0730', '2024-05-01T20:34:05.000Z'],
    ['2024-05-01T13:04:05+0000', '2024-05-01T13:04:05.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
  ])('%s is %s', (timestamp, expected) => {
    expect(formatInstant(parseInstant(timestamp) as number)).toBe(expected);
  });

  test.each([
    '',
    'yesterday',
    '2024-5-1',
    '2024-02-30',
    '2023-02-29',
    '2024-13-01',
    '2024-00-10',
    '2024-05-01T24',
    '2024-05-01T13:04',
    '2024-05-01T13:04Z',
    '2024-05-01T13:04:60Z',
    '2024-05-01T13:04:05',
    '2024-05-01t13:04:05z',
    '2024-05-01T13:04:05.Z',
    '2024-05-01T13:04:05.1234567890Z',
    '2024-05-01T13:04:05+2',
    '2024-05-01T13:04:05+19:00',
    '2024-05-01T13:04:05 00:00',
    '2024-05-01Z',
    ' 2024-05-01',
    '2024-05-01\n',
    '1714568645000',
  ])('%j is rejected', (timestamp) => {
    expect(parseInstant(timestamp)).toBeUndefined();
  });

  test('parses every instant that formatInstant writes', () => {
    const instants = fc.date({
      min: new Date('0001-01-01'),
      max: new Date('9999-12-31'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(instants, (date) => parseInstant(formatInstant(date.getTime())) === date.getTime()),
    );
  });
});

describe('isTimestamp', () => {
  test.each([
    ['2024-05-01T13:04:05Z', true],
    ['2024-05-01T13:04:05.123456789Z', true],
    ['2024-05-01T13:04:05+02:00', true],
    ['2024-02-29T13:04:05Z', true],
    ['2023-02-29T13:04:05Z', false],
    ['2024-04-31T13:04:05Z', false],
    ['2024-05-01T24:00:00Z', false],
    ['2024-05-01T13:04:05+0200', false],
    ['2024-05-01T13:04:05+19:00', false],
    ['2024-05-01T13:04:05', false],
    ['2024-05-01T13', false],
    ['2024-05-01', false],
    ['2024-05-01T13:04:05Z\n', false],
  ])('%j is %j', (timestamp, expected) => {
    expect(isTimestamp(timestamp)).toBe(expected);
  });

  test('accepts the complete formats that parseInstant accepts', () => {
    const two = fc.integer({ min: 0, max: 99 }).map((number) => String(number).padStart(2, '0'));
    const timestamps = fc
      .tuple(
        fc.constantFrom('2023', '2024', '0001'),
        two,
        two,
        two,
        two,
        two,
        fc.constantFrom('Z', '.5Z', '+18:59'),
      )
      .map(
        ([year, month, day, hour, minute, second, end]) =>
          `${year}-${month}-${day}T${hour}:${minute}:${second}${end}`,
      );
    const days = fc
      .tuple(
        fc.constantFrom('2023', '2024'),
        fc.integer({ min: 0, max: 13 }),
        fc.integer({ min: 0, max: 32 }),
      )
      .map(
        ([year, month, day]) =>
          `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}T00:00:00Z`,
      );
    fc.assert(
      fc.property(
        fc.oneof(timestamps, days),
        (timestamp) => isTimestamp(timestamp) === (parseInstant(timestamp) !== undefined),
      ),
      { numRuns: 1000 },
    );
  });
});
