import { expect, test } from 'vitest';
import { socketFailure } from './socket-failure.ts';

const { signal } = new AbortController();
const failure = (code: string) => Object.assign(new Error(`connect ${code}`), { code });

test.each(['EACCES', 'EPERM'])('%s says how to open the socket', (code) => {
  expect(socketFailure(failure(code), signal)).toEqual({
    is: 'unreadable',
    reason: 'Its socket may only be opened by root: run the agent as root.',
  });
});

test.each(['ENOENT', 'ECONNREFUSED'])('%s means that the runtime is not running', (code) => {
  expect(socketFailure(failure(code), signal)).toEqual({ is: 'absent' });
});

test('other failures and time-outs are unreadable', () => {
  expect(socketFailure(failure('ECONNRESET'), signal)).toMatchObject({ is: 'unreadable' });
  expect(socketFailure(failure('ENOENT'), AbortSignal.abort())).toMatchObject({ is: 'unreadable' });
});
