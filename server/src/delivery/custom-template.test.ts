import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sampleMessages } from '../testing/alert-message.ts';
import { templateFields } from './custom-template.ts';

const { opened, storm } = sampleMessages;
const file = (text: string) =>
  `data:application/json;name=i.json;base64,${Buffer.from(text).toString('base64')}`;
const filled = (template: unknown) => templateFields(file(JSON.stringify(template)), opened);

describe('a custom template', () => {
  test('adds its fields, with placeholders replaced by members of the alert', () => {
    const fields = { a: '{{alertId}}: {{ alertName }}', b: [{ c: '{{severity}}' }, 1, null], d: '{{none}}' };
    const expected = {
      a: '17: Security group open to the world',
      b: [{ c: 'High' }, 1, null],
      d: '{{none}}',
    };
    expect(filled({ fields })).toEqual(expected);
    expect(filled(fields)).toEqual(expected);
    expect(filled({ e: '{{entities}}', r: '<{{resource}}>' })).toEqual({
      e: 'CT_User: alice\nAwsResource: sg-0a1b, sg-<2>, sg-"3"',
      r: '<>',
    });
    const resource = { kind: 'AwsResource', name: '{{alertId}} $& "' };
    expect(templateFields(file('{"r":"{{resource}}"}'), opened, resource)).toEqual({ r: resource.name });
    expect(templateFields(undefined, opened)).toEqual({});
  });

  test('keeps unknown placeholders in any JSON', () => {
    const property = fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 5 })), (fields) => {
      const text = JSON.stringify({ fields });
      expect(templateFields(file(text), opened)).toEqual(JSON.parse(text).fields);
    });
    fc.assert(property);
  });

  test('is never larger than the alert allows', () => {
    const { d } = templateFields(file('{"d":"{{description}}"}'), storm) as { d: string };
    expect(d.length).toBeLessThanOrEqual(2_000);
  });

  test.each(['', '[]', 'null', '"text"', '{"a":', `${'{"a":'.repeat(30)}1${'}'.repeat(30)}`])(
    'with content %j is reported as invalid',
    (text) => {
      expect(() => templateFields(file(text), opened)).toThrow(
        expect.objectContaining({
          message: expect.stringMatching(/^data\.customTemplateFile must be a JSON object/),
          isFinal: true,
        }),
      );
    },
  );
});
