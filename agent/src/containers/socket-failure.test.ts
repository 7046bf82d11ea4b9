import { expect, test } from 'vitest';
import { unprivileged } from '../testing/unprivileged.ts';
import { socketFailure } from './socket-failure.ts';

const { signal } = new AbortController();
const failure = (code: string) => Object.assign(new Error(`connect ${code}`), { code });

test.each(['EACCES', 'EPERM'])('%s says how to open the socket', async (code) => {
  expect(await unprivileged(async () => socketFailure(failure(code), signal))).toEqual({
    is: 'unreadable',
    reason: 'Its socket may not be opened. Run the agent as root.',
  });
});

test.each(['ENOENT', 'ECONNREFUSED'])('%s means that the runtime is not running', (code) => {
  expect(socketFailure(failure(code), signal)).toEqual({ is: 'absent' });
});

test('other failures and time-outs are unreadable', () => {
  expect(socketFailure(failure('ECONNRESET'), signal)).toMatchObject({ is: 'unreadable' });
  expect(socketFailure(failure('ENOENT'), AbortSignal.abort())).toMatchObject({ is: 'unreadable' });
});
