import { describe, expect, test } from 'vitest';
import { ManualClock } from '../../testing/clock.ts';
import { CallBudget } from '../inventory/budget.ts';
import { BudgetedRetry, maxAttempts } from './retry.ts';

const { signal } = new AbortController();

function trial() {
  const clock = new ManualClock();
  const started = clock.now();
  const wait = async (milliseconds: number) => clock.advance(milliseconds);
  const budget = new CallBudget({ share: 0.2, clock, wait });
  const retry = new BudgetedRetry({ budget, api: 'ec2 eu-west-1', random: () => 1 });
  return { budget, retry, elapsed: () => clock.now() - started };
}

describe('retries of AWS calls', () => {
  test('and first calls are spaced by a share of the documented rate, or five a second', async () => {
    const { budget, elapsed } = trial();
    for (let call = 0; call < 9; call++) await budget.take('ec2 eu-west-1', { perSecond: 20 }, signal);
    expect(elapsed()).toBe(2_000);
    for (let call = 0; call < 6; call++) await budget.take('rds eu-west-1', undefined, signal);
    expect(elapsed()).toBe(3_000);
    const [first] = budget.usage();
    expect(first).toEqual({ api: 'ec2 eu-west-1', calls: 9, share: 9 / 3 / 20 });
  });

  test('after throttling pause all calls to the API, longer each time', async () => {
    const { budget, retry, elapsed } = trial();
    await budget.take('ec2 eu-west-1', undefined, signal);
    let attempt = await retry.acquireInitialRetryToken();
    attempt = await retry.refreshRetryTokenForRetry(attempt, { error: 0, errorType: 'THROTTLING' });
    await budget.take('ec2 us-east-1', undefined, signal);
    expect(elapsed()).toBe(0);
    await budget.take('ec2 eu-west-1', undefined, signal);
    expect(elapsed()).toBe(1_000);
    await retry.refreshRetryTokenForRetry(attempt, { error: 0, errorType: 'THROTTLING' });
    await budget.take('ec2 eu-west-1', undefined, signal);
    expect(elapsed()).toBe(3_000);
  });

  test('wait as long as the provider asks for, up to a minute', async () => {
    const { budget, retry, elapsed } = trial();
    await budget.take('ec2 eu-west-1', undefined, signal);
    const retryAfterHint = new Date(Date.now() + 3_600_000);
    const attempt = await retry.acquireInitialRetryToken();
    await retry.refreshRetryTokenForRetry(attempt, { error: 0, errorType: 'THROTTLING', retryAfterHint });
    await budget.take('ec2 eu-west-1', undefined, signal);
    expect(elapsed()).toBe(60_000);
  });

  test('after other failures delay one call only, and end after eight attempts', async () => {
    const { retry, elapsed } = trial();
    let attempt = await retry.acquireInitialRetryToken();
    for (let retries = 1; retries < maxAttempts; retries++)
      attempt = await retry.refreshRetryTokenForRetry(attempt, { error: 0, errorType: 'TRANSIENT' });
    expect(elapsed()).toBe(100 * (2 ** 7 - 1));
    const failed = { error: 0, errorType: 'TRANSIENT' } as const;
    await expect(retry.refreshRetryTokenForRetry(attempt, failed)).rejects.toThrow('not repeated');
  });

  test('are not made of calls that the provider rejects', async () => {
    const { retry } = trial();
    const attempt = await retry.acquireInitialRetryToken();
    const rejected = { error: 0, errorType: 'CLIENT_ERROR' } as const;
    await expect(retry.refreshRetryTokenForRetry(attempt, rejected)).rejects.toThrow('not repeated');
  });
});
