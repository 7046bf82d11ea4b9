import { Type } from 'typebox';
import { Validator } from '../../platform/validator.ts';
import { type YamlError, YamlFile } from '../../platform/yaml-file.ts';

const form = new Validator(
  Type.Object(
    {},
    {
      patternProperties: {
        '^[1-9][0-9]{0,5}$': Type.String({
          pattern: '^[a-z0-9-]+/[a-z0-9-]+/[a-z0-9-]+$',
          description: 'Write cloud/service/policy.',
        }),
      },
      additionalProperties: false,
    },
  ),
  'file',
);

/** `numbers.yaml`: the permanent number of each policy folder. */
export class Numbers {
  /** Sorted by number. */
  readonly folders: readonly (readonly [number: number, folder: string])[];
  readonly #file: YamlFile;

  constructor(name: string, text: string) {
    this.#file = new YamlFile(name, text);
    this.#file.check(form);
    this.folders = Object.entries(this.#file.value as Record<string, string>)
      .map(([number, folder]) => [Number(number), folder] as const)
      .sort(([one], [other]) => one - other);
  }

  /** Every policy folder has exactly one number, and every number has a folder. */
  errorsAgainst(present: ReadonlySet<string>): YamlError[] {
    const numbered = new Map<string, number>();
    const problems: YamlError[] = [];
    for (const [number, folder] of this.folders) {
      const earlier = numbered.get(folder);
      const problem = earlier
        ? `${number} names ${folder}, which already has number ${earlier}.`
        : `${number} names ${folder}, which has no policy.yaml.`;
      if (earlier || !present.has(folder)) problems.push(this.#file.problem([String(number)], problem));
      numbered.set(folder, number);
    }
    for (const folder of present)
      if (!numbered.has(folder))
        problems.push(this.#file.problem([], `${folder} has no number: add one that was never used.`));
    return problems;
  }
}
