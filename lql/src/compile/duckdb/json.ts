import type { JsonWriter, Sql, Statement } from '../dialect.ts';
import type { Once } from './once.ts';

const kinds = {
  list: ["'ARRAY'"],
  object: ["'OBJECT'"],
  number: ["'BIGINT'", "'UBIGINT'", "'HUGEINT'", "'UHUGEINT'", "'DOUBLE'"],
  null: ["'NULL'"],
} as const;

export function jsonWriter({ bind, fresh }: Statement, once: Once): JsonWriter {
  /** The steps before the last one, and the path of that. */
  const split = (json: Sql, keys: readonly string[]) => {
    const paths = pathsOf(keys);
    const before = paths.slice(0, -1).reduce((sql, path) => `json_extract(${sql}, ${bind(path)})`, json);
    return { before, path: bind(paths.at(-1) ?? '$') };
  };
  const at: JsonWriter['at'] = (json, keys) => {
    const { before, path } = split(json, keys);
    return `json_extract(${before}, ${path})`;
  };
  return {
    at,
    text: (json, keys) => {
      const { before, path } = split(json, keys);
      return `json_extract_string(${before}, ${path})`;
    },
    // A cast, because the engine knows that it is a list only once all parameters are known.
    items: (json, keys) => {
      const isPath = keys.every((key) => /^[A-Za-z_][A-Za-z0-9_-]*$/.test(key));
      const list = isPath
        ? `json_extract(${json}, ${spelt(`$${keys.map((key) => `."${key}"`).join('')}[*]`)})`
        : `json_extract(${at(json, keys)}, '$[*]')`;
      return `cast(${list} as json[])`;
    },
    is: (kind, json, keys) => {
      const { before, path } = split(json, keys);
      return `(json_type(${before}, ${path}) in (${kinds[kind].join(', ')}))`;
    },
    length: (list) => `cast(json_array_length(${list}) as bigint)`,
    someItem: (items, values, test) =>
      once([items, ...values], (list, ...names) => {
        const item = fresh('v');
        return `coalesce(len(list_filter(${list}, lambda ${item}: ${test(item, names)})) > 0, false)`;
      }),
    ofText: (text) => `cast(to_json(${text}) as varchar)`,
    parsed: (text) => once([text], (name) => `case when ${isJson(name)} then ${name} end`),
    compact: (json, keys) =>
      `cast(${keys.length > 0 ? at(json, keys) : `json_extract(${json}, '$')`} as varchar)`,
  };
}

/**
 * A path that makes a list can not be a parameter: the type of the result depends on it. But text of a query shall not
 * stand in a statement, so it is told by the numbers of its characters.
 */
function spelt(path: string): Sql {
  const hex = Array.from(path, (character) => (character.codePointAt(0) ?? 0).toString(16).padStart(2, '0'));
  return `decode(from_hex('${hex.join('')}'))`;
}

/**
 * Pointers, for JSON paths read a quoted `*` as a wildcard and can not have an empty key. But a pointer takes digits for
 * the place in a list, so a key of digits is a path.
 */
function pathsOf(keys: readonly string[]): string[] {
  const paths: string[] = [];
  let pointer = '';
  for (const key of keys) {
    if (!/^\d+$/.test(key)) {
      pointer += `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      continue;
    }
    if (pointer !== '') paths.push(pointer);
    paths.push(`$."${key}"`);
    pointer = '';
  }
  if (pointer !== '') paths.push(pointer);
  return paths;
}

/** The engine takes NaN, Infinity and a comma after the last item too, which others could not read in an answer. */
function isJson(text: Sql): Sql {
  const strings = String.raw`"(?:[^"\\]|\\.)*"`;
  const foreign = String.raw`(?i)nan|inf|,\s*[\]}]`;
  return `json_valid(${text}) and not regexp_matches(regexp_replace(${text}, '${strings}', '""', 'g'), '${foreign}')`;
}
