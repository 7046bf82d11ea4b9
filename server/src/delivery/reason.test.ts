import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { reasonIn } from './reason.ts';

describe('the reason in a rejection', () => {
  test.each([
    ['', ''],
    ['no_service', 'no_service'],
    ['<html><h1>Bad\n gateway</h1></html>', 'Bad gateway'],
    ['{"message":"a","errors":["b",{"detail":"c"}]}', 'a: b: c'],
    ['{"error":{"code":"X","message":"said once"},"message":"said once"}', 'said once'],
    ['{"errorMessages":[],"errors":{"issuetype":"Specify one"}}', 'issuetype: Specify one'],
    ['{"code":7}', '{"code":7}'],
    ['"text"', 'text'],
    ['null', 'null'],
  ])('in %j is %j', (text, reason) => {
    expect(reasonIn(text)).toBe(reason);
  });

  test.each(['<', '< ', '\n', '{"'])('is extracted in linear time from a million of %j', (part) => {
    const text = part.repeat(1_000_000 / part.length);
    for (const reply of [text, JSON.stringify({ message: text })])
      expect(reasonIn(reply)).toMatch(/^.{0,2000}$/su);
  });

  test('is a short single line for any reply', () => {
    const anyReply = fc.oneof(fc.string({ unit: 'binary', maxLength: 2_000 }), fc.json());
    fc.assert(
      fc.property(anyReply, (text) => {
        expect(reasonIn(text)).toMatch(/^.{0,2000}$/su);
        expect(reasonIn(text)).not.toMatch(/[\n\r\t]/);
      }),
    );
  });
});
