import fc from 'fast-check';
import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { Validator } from './validator.ts';
import { YamlFile } from './yaml-file.ts';

const validator = new Validator(
  Type.Object(
    { title: Type.String(), steps: Type.Array(Type.Object({ port: Type.Integer() })) },
    { additionalProperties: false },
  ),
  'file',
);

const check = (text: string) => () => new YamlFile('a.yaml', text).check(validator);

describe('a YAML file', () => {
  test('is parsed into its value', () => {
    const file = new YamlFile('a.yaml', 'title: On\nsteps: [{ port: 22 }]\n');
    file.check(validator);
    expect(file.value).toEqual({ title: 'On', steps: [{ port: 22 }] });
  });

  test('with an invalid value is rejected with the line and the member', () => {
    expect(check('title: a\nsteps:\n  - port: 1\n  - port: ssh\n')).toThrow(
      /^a\.yaml:4: steps\[1\]\.port must be an integer, not 'ssh'\.$/,
    );
    expect(check('title: |\n  two\n  lines\nsteps: []\nstep: []\n')).toThrow(
      /^a\.yaml:5: step is not a known member: correct or remove it\.$/,
    );
    expect(check('# why\nsteps: []\n')).toThrow(/^a\.yaml:1: title is required: add it to the file\.$/);
    expect(check('')).toThrow(/^a\.yaml:1: The file must be an object, not null\.$/);
  });

  test('with a syntax error or a duplicate key is rejected', () => {
    expect(check('title: a\nsteps: [\n')).toThrow(/^a\.yaml:3: .*flow sequence.*\.$/i);
    expect(check("title: a\nsteps: []\n'title': b\n")).toThrow(/^a\.yaml:3: Map keys must be unique\.$/);
    expect(() => new YamlFile('a.yaml', "1: a\n'1': b\n")).toThrow(/^a\.yaml:2: /);
  });

  test('finds the line of any member', () => {
    const text = fc.string({ maxLength: 20 });
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 10 }), fc.nat(), (values, pick) => {
        const index = pick % values.length;
        const lines = values.map((value) => stringify({ list: { member: value } }));
        const before = lines.slice(0, index).map((line, at) => line.replace('list', `list${at}`));
        const all = [...before, lines[index]].join('');
        const expected = before.join('').split('\n').length + 1;
        expect(new YamlFile('a.yaml', all).problem(['list', 'member'], 'x').message).toBe(
          `a.yaml:${expected}: x`,
        );
      }),
    );
  });
});
