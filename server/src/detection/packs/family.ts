import { type Static, Type } from 'typebox';
import { Validator } from '../../platform/validator.ts';
import { YamlFile } from '../../platform/yaml-file.ts';

/** `entries.yaml`: the policies of a family, each with the values of its variables. */
const EntriesFile = Type.Record(
  Type.String({ pattern: '^[a-z0-9-]+$' }),
  Type.Record(Type.String({ pattern: '^[a-zA-Z]+$' }), Type.String({ minLength: 1, pattern: '^[^\\n]+$' })),
  { minProperties: 2, description: 'Name each policy, and give a line of text for each variable.' },
);
const form = new Validator(EntriesFile, 'file');

/**
 * Policies that differ by a few words only, such as one check for each type of resource. Their files are templates, in
 * which `$(name)` stands for a variable of the entry.
 */
export class PolicyFamily {
  readonly #entries: Readonly<Record<string, Readonly<Record<string, string>>>>;

  constructor(folder: string, entriesText: string) {
    const file = new YamlFile(`packs/policies/${folder}/entries.yaml`, entriesText);
    file.check(form);
    this.#entries = file.value as Static<typeof EntriesFile>;
    const [first, ...others] = Object.entries(this.#entries);
    const variables = namesOf(first?.[1] ?? {});
    for (const [entry, values] of others)
      if (namesOf(values) !== variables)
        throw file.problem([entry], `${entry} must have the variables ${variables}, as ${first?.[0]} has.`);
  }

  get names(): readonly string[] {
    return Object.keys(this.#entries);
  }

  /** The file of one policy. An unknown variable stays as it is, and the checks of the file report it. */
  expand(entry: string, template: string): string {
    const values = this.#entries[entry] ?? {};
    return template.replaceAll(/\$\(([a-zA-Z]+)\)/g, (mark, name: string) => values[name] ?? mark);
  }
}

function namesOf(values: object): string {
  return Object.keys(values).sort().join(', ');
}
