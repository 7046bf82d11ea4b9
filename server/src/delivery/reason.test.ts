import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { reasonIn } from './reason.ts';

describe('the reason of a refusal', () => {
  test.each([
    ['', ''],
    ['no_service', 'no_service'],
    ['<html><h1>Bad\n gateway</h1></html>', 'Bad gateway'],
    ['{"message":"a","errors":["b",{"detail":"c"}]}', 'a: b: c'],
    ['{"error":{"code":"X","message":"said once"},"message":"said once"}', 'said once'],
    ['{"code":7}', ''],
    ['"text"', 'text'],
    ['null', 'null'],
  ])('in %j is %j', (text, reason) => {
    expect(reasonIn(text, [])).toBe(reason);
  });

  test('repeats no secret, and no path of a secret address', () => {
    const secrets = ['token-1234', 'https://hooks.example.com/in/abcdef?key=ghijkl'];
    expect(reasonIn('{"message":"token-1234 is not known"}', secrets)).toBe('*** is not known');
    expect(reasonIn('Can not POST /in/abcdef?key=ghijkl', secrets)).toBe('Can not POST ***');
    expect(reasonIn('Can not POST /in/abcdef to hooks.example.com', secrets)).toBe(
      'Can not POST *** to hooks.example.com',
    );
  });

  test('is short and of one line, whatever was answered', () => {
    const anyReply = fc.oneof(fc.string({ unit: 'binary', maxLength: 2_000 }), fc.json());
    fc.assert(
      fc.property(anyReply, (text) => {
        expect(reasonIn(text, ['secret'])).toMatch(/^.{0,300}$/su);
        expect(reasonIn(text, ['secret'])).not.toMatch(/[\n\r\t]/);
      }),
    );
  });
});
