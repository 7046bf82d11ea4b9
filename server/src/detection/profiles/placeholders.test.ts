import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkPlaceholders, placeholderFor, placeholdersOf } from './placeholders.ts';

const fields = new Set(['PATH', 'MID', '_OCCURRENCE']);
const template = { name: 'A', eventName: 'event', description: '', subject: '' };
const check = (members: object, place = '') => checkPlaceholders({ ...template, ...members }, fields, place);

describe('an alert template', () => {
  test('may use every field of the profile in any member', () => {
    const chunk = fc.oneof(
      fc.constantFrom(...fields).map(placeholderFor),
      fc.string().filter((text) => !/[{}]/.test(text)),
    );
    fc.assert(
      fc.property(fc.array(chunk), (chunks) => {
        const text = chunks.join('');
        check({ eventName: text, description: text, subject: text });
        expect(placeholdersOf(text)).toEqual((text.match(/[A-Z_]+(?=\}\})/g) ?? []) as string[]);
      }),
    );
  });

  test.each(['{{ PATH }}', '{{{PATH}}}', '{PATH}', '}} {', '{{PATH}}{{MID}}', '{ {{MID}} {'])(
    'may contain %s',
    (text) => check({ subject: text }),
  );

  test.each([
    ['eventName', '{{PTH}}', "eventName contains the unknown field 'PTH'. Did you mean PATH?"],
    [
      'description',
      'a {{MID}} {{path}}',
      "description contains the unknown field 'path'. Did you mean PATH?",
    ],
    [
      'subject',
      '{{}}',
      "subject contains the unknown field ''. The profile that it extends lists the fields.",
    ],
    ['subject', '{{PATH', "subject has '{{' without a field and '}}' after it"],
    ['subject', '{{PATH}', "subject has '{{' without a field and '}}' after it"],
    ['subject', '{{PA{TH}}', "subject has '{{' without a field and '}}' after it"],
  ])('is rejected for its %s: %s', (member, text, message) => {
    expect(() => check({ [member]: text })).toThrow(message);
    expect(() => check({ [member]: text }, 'alerts[3].')).toThrow(`alerts[3].${message}`);
  });

  test('is checked in linear time, and the error message truncates its text', () => {
    const long = '{{'.repeat(5_000);
    expect(() => check({ description: long })).toThrow("description has '{{'");
    expect(() => check({ description: `{{${'x'.repeat(9_000)}}}` })).toThrow(/'x{60}'/);
  });
});
