import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { echoes } from '../testing/echoes.ts';
import { Redaction } from './redaction.ts';

const anySecret = fc
  .string({ unit: 'grapheme', minLength: 6, maxLength: 80 })
  .filter((text) => /\S{6}/.test(text));

describe('redaction', () => {
  test.each(Object.entries(echoes))('removes a secret echoed %s', (_, echo) => {
    fc.assert(
      fc.property(
        anySecret,
        fc.string({ maxLength: 5 }),
        fc.string({ maxLength: 5 }),
        (secret, before, after) => {
          const reply = `refused: ${echo(`${before}${secret}${after}`)} (${before.length})`;
          const redacted = new Redaction([secret]).apply(reply);
          expect(redacted).toContain('***');
          // An adjacent space may be removed too: in base64 it may be a decoded plus.
          expect(redacted).toMatch(/^refused:/);
          expect(redacted.endsWith(`(${before.length})`)).toBe(true);
          expect(redacted).not.toContain(echo(secret));
        },
      ),
      { numRuns: 200, examples: [['𝅘𝅥∾𝅘𝅥      ', '', '']] },
    );
  });

  test.each(Object.entries(echoes))('removes a fragment of a long secret echoed %s', (_, echo) => {
    const secret = 'A/long+secret="with" 9 signs & more, ünd so on: '.repeat(4);
    const reply = echo(`user:${secret}`);
    const redaction = new Redaction([secret]);
    for (let start = 40; start < 80; start++)
      expect(redaction.apply(reply.slice(start, start + 60))).toMatch(/^.{0,20}\*\*\*.{0,20}$/s);
  });

  test('keeps strings without secrets unchanged', () => {
    const redaction = new Redaction(['correct horse battery staple', 'short']);
    for (const text of ['', 'short', 'a horse', '100%25 &amp; \\n done', 'Zm9vYmFyYmF6'.repeat(9)])
      expect(redaction.apply(text)).toBe(text);
  });

  test('removes only secrets, from any string', () => {
    fc.assert(
      fc.property(anySecret, fc.string({ unit: 'binary', maxLength: 200 }), (secret, text) => {
        const redacted = new Redaction([secret]).apply(text);
        if (!redacted.includes('***')) expect(redacted).toBe(text);
      }),
    );
  });

  test.each(['a', '%', '%41', '\\', '\\u0061', '&', '&#x61;', '+', 'YWFh', '61'])(
    'terminates for 64 KiB of %j',
    (part) => {
      const text = part.repeat(65_536 / part.length);
      const redaction = new Redaction(['a'.repeat(16_384), 'aaaaaa', 'b'.repeat(16_384)]);
      expect(redaction.apply(text).length).toBeLessThanOrEqual(text.length + 3);
    },
  );
});
