import { describe, expect, test } from 'vitest';
import { Refusal } from '../platform/errors.ts';
import { causeOf, StoreUnavailable, storeFailure, unreachable } from './store-failure.ts';

const withCode = (code: string) => Object.assign(new Error('of the driver'), { code });

describe('a failure of the store', () => {
  test.each([
    ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENOTFOUND', 'EAI_AGAIN'],
    ...['08000', '08006', '25006', '25P03', '53300', '57014', '57P01', '57P02', '57P03', '57P05'],
  ])('with the code %s means that the store is unavailable: retry', (code) => {
    const failure = storeFailure(withCode(code));
    expect(failure).toBeInstanceOf(StoreUnavailable);
    expect(failure).toMatchObject({ code: 'UNAVAILABLE', status: 503, retryAfter: 5 });
    expect((failure as Refusal).message).not.toContain('of the driver');
    expect(causeOf(failure as StoreUnavailable)).toBe('of the driver');
  });

  test.each([
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'timeout exceeded when trying to connect',
    'Query read timeout',
    'Client has encountered a connection error and is not queryable',
  ])('with the driver message "%s" means the same', (message) =>
    expect(storeFailure(new Error(message))).toBeInstanceOf(StoreUnavailable),
  );

  test.each(['23505', '40P01', '42P01', '22021', 'ENOENT'])('with the code %s is unchanged', (code) => {
    const error = withCode(code);
    expect(storeFailure(error)).toBe(error);
  });

  test.each([
    ['SQLite: full', { code: 'ERR_SQLITE_ERROR', errcode: 13 }, 'is full'],
    ['SQLite: quota', { errcode: 778, systemErrno: 122 }, 'is full'],
    ['SQLite: I/O error', { errcode: 266, systemErrno: 5 }, 'failed'],
    ['PostgreSQL: full', { code: '53100' }, 'is full'],
    ['PostgreSQL: I/O error', { code: '58030' }, 'failed'],
  ])('of the disk is reported as such (%s)', (_, facts, problem) => {
    const failure = storeFailure(Object.assign(new Error('of the driver'), facts)) as StoreUnavailable;
    expect(failure).toBeInstanceOf(StoreUnavailable);
    expect(failure).toMatchObject({ code: 'UNAVAILABLE', status: 503, retryAfter: 60, isAway: false });
    expect(failure.isDiskFull).toBe(problem === 'is full');
    expect(failure.message).toContain(`The disk of the control store ${problem} and nothing was changed`);
    expect(causeOf(failure)).toBe('of the driver');
  });

  test.each([
    ['SQLite: anything else', { code: 'ERR_SQLITE_ERROR', errcode: 1 }],
    ['a file that is none of the store', { code: 'ENOSPC' }],
  ])('of another kind is unchanged (%s)', (_, facts) => {
    const error = Object.assign(new Error('of the driver'), facts);
    expect(storeFailure(error)).toBe(error);
  });

  test('that is already a refusal is unchanged', () => {
    const refusal = new Refusal('CONFLICT', 'twice');
    expect(storeFailure(refusal)).toBe(refusal);
  });

  test('of several addresses reports the first', () => {
    const refused = new AggregateError([new Error('connect ECONNREFUSED ::1:5432')], '');
    expect(causeOf(unreachable(refused))).toBe('connect ECONNREFUSED ::1:5432');
  });
});
