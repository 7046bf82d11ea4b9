import { type Static, Type } from 'typebox';
import { Validator } from '../../platform/validator.ts';
import { YamlFile } from '../../platform/yaml-file.ts';

/** The date of the last change of a shipped file. */
export const changedDay = Type.String({
  pattern: '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$',
  description: 'The day of its last change, as 2026-01-31.',
});

export const builtInQueryId = Type.String({
  pattern: '^LW_Global_[A-Za-z0-9_]+$',
  maxLength: 200,
  description: 'The id of a built-in query begins with LW_Global_.',
});

/** `query.yaml`. Unknown members are rejected as typing errors. */
const QueryFile = Type.Object(
  { description: Type.String({ minLength: 1, maxLength: 200 }), changed: changedDay },
  { additionalProperties: false },
);
const form = new Validator(QueryFile, 'file');
const idForm = new Validator(builtInQueryId, 'file');

export interface BuiltInQuery {
  readonly id: string;
  readonly description: string;
  readonly text: string;
  /** Selects the resources that the policy applies to; without it, all of its first datasource. */
  readonly scope?: string;
  readonly changedTime: string;
}

/** The unparsed folder of a standalone query; its name is the query id. */
export interface QueryFolder {
  readonly folder: string;
  readonly queryYaml: string;
  readonly queryText: string | undefined;
}

export interface ReadQueryFolder {
  readonly query: BuiltInQuery;
  readonly file: YamlFile;
}

export function readQueryFolder({ folder, queryYaml, queryText }: QueryFolder): ReadQueryFolder {
  const file = new YamlFile(`packs/queries/${folder}/query.yaml`, queryYaml);
  const [wrong] = idForm.problems(folder, 'folder');
  if (wrong) throw file.problem([], wrong.message);
  file.check(form);
  if (!queryText?.trim()) throw file.problem([], 'query.lql is missing or empty.');
  const { description, changed } = file.value as Static<typeof QueryFile>;
  return { query: builtInQuery(folder, description, queryText, changed), file };
}

/** Removes the final line break of the file. */
export function builtInQuery(id: string, description: string, file: string, changed: string): BuiltInQuery {
  return { id, description, text: file.trimEnd(), changedTime: timeOf(changed) };
}

export function timeOf(day: string): string {
  return `${day}T00:00:00.000Z`;
}
