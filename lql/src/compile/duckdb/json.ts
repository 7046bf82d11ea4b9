import type { JsonWriter, Sql, Statement } from '../dialect.ts';
import type { Once } from './once.ts';

const kinds = {
  array: ["'ARRAY'"],
  object: ["'OBJECT'"],
  number: ["'BIGINT'", "'UBIGINT'", "'HUGEINT'", "'UHUGEINT'", "'DOUBLE'"],
  null: ["'NULL'"],
} as const;

export function jsonWriter({ bind, freshName }: Statement, once: Once): JsonWriter {
  /** All steps but the last, and the path of the last. */
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
    string: (json, keys) => {
      const { before, path } = split(json, keys);
      return `json_extract_string(${before}, ${path})`;
    },
    // A cast, because the engine infers the list type only after binding parameters.
    items: (json, keys) => {
      const isPath = keys.every((key) => /^[A-Za-z_][A-Za-z0-9_-]*$/.test(key));
      const extracted = isPath
        ? `json_extract(${json}, ${hexEncoded(`$${keys.map((key) => `."${key}"`).join('')}[*]`)})`
        : `json_extract(${at(json, keys)}, '$[*]')`;
      return `cast(${extracted} as json[])`;
    },
    is: (kind, json, keys) => {
      const { before, path } = split(json, keys);
      return `(json_type(${before}, ${path}) in (${kinds[kind].join(', ')}))`;
    },
    length: (array) => `cast(json_array_length(${array}) as bigint)`,
    someItem: (items, values, test) =>
      once([items, ...values], (list, ...names) => {
        const item = freshName('v');
        return `coalesce(len(list_filter(${list}, lambda ${item}: ${test(item, names)})) > 0, false)`;
      }),
    ofString: (string) => `cast(to_json(${string}) as varchar)`,
    parsed: (string) => once([string], (name) => `case when ${isJson(name)} then ${name} end`),
    compact: (json, keys) =>
      `cast(${keys.length > 0 ? at(json, keys) : `json_extract(${json}, '$')`} as varchar)`,
  };
}

/**
 * A wildcard path cannot be a parameter, because the result type depends on it. Query literals must not appear in a
 * statement, so the path is hex-encoded.
 */
function hexEncoded(path: string): Sql {
  const hex = Array.from(path, (character) => (character.codePointAt(0) ?? 0).toString(16).padStart(2, '0'));
  return `decode(from_hex('${hex.join('')}'))`;
}

/**
 * JSON pointers, because JSON paths treat a quoted `*` as a wildcard and allow no empty key. Pointers treat digits as an
 * array index, so numeric keys use paths.
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

/** The engine also accepts NaN, Infinity and trailing commas, which clients could not parse. */
function isJson(string: Sql): Sql {
  const strings = String.raw`"(?:[^"\\]|\\.)*"`;
  const invalidTokens = String.raw`(?i)nan|inf|,\s*[\]}]`;
  return `json_valid(${string}) and not regexp_matches(regexp_replace(${string}, '${strings}', '""', 'g'), '${invalidTokens}')`;
}
