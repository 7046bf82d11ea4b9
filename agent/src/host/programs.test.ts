import { expect, test } from 'vitest';
import { Programs } from './programs.ts';

const programs = new Programs(new AbortController().signal);

test('what a program prints is read, and its parameters are not interpreted', async () => {
  const printed = await programs.output('printf', ['%s', '$HOME; `id`']);
  expect(printed.is === 'read' && printed.value.toString()).toBe('$HOME; `id`');
});

test('a program that is not installed is absent, one that fails is unreadable', async () => {
  expect(await programs.output('vedette-missing', [])).toEqual({ is: 'absent' });
  expect(await programs.output('cat', ['/vedette-missing'])).toEqual({
    is: 'unreadable',
    reason: 'cat failed: Command failed: cat /vedette-missing.',
  });
});

test('a program is ended with the agent', async () => {
  const stop = new AbortController();
  const output = new Programs(stop.signal).output('sleep', ['60']);
  stop.abort();
  expect(await output).toMatchObject({ is: 'unreadable' });
});
