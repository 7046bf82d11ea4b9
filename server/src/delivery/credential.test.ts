import { expect, test } from 'vitest';
import { credential } from './credential.ts';

test('a valid key is unchanged', () => {
  expect(credential('apiKey', 'a-B_9+/=')).toBe('a-B_9+/=');
});

test.each(['', 'two words', 'line\r\nX-Other: 1', 'schlüssel'])(
  '%j is rejected as a key and not repeated in the error',
  (value) => {
    expect(() => credential('apiKey', value)).toThrow(
      expect.objectContaining({
        isFinal: true,
        message: expect.stringMatching(/^data\.apiKey (?!.*(?:two|Other|schl))/),
      }),
    );
  },
);
