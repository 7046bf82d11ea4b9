import { expect, test } from 'vitest';
import { isLoopback } from './server-agent.ts';

test('a loopback URL is one of the same host', () => {
  for (const host of ['localhost', '127.0.0.1', '127.1.2.3', '[::1]'])
    expect([host, isLoopback(`http://${host}:8480/`)]).toEqual([host, true]);
  for (const host of [
    'vedette.example',
    '10.0.0.1',
    '[2001:db8::1]',
    'localhost.example',
    '127.0.0.1.example',
  ])
    expect([host, isLoopback(`https://${host}/`)]).toEqual([host, false]);
});
