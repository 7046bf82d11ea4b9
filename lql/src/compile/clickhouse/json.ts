import type { JsonWriter, Sql, Statement } from '../dialect.ts';
import type { Once } from './once.ts';

const kinds = {
  array: ["'Array'"],
  object: ["'Object'"],
  number: ["'Int64'", "'UInt64'", "'Double'"],
  null: ["'Null'"],
} as const;

/** Keys are function arguments, so they are never parsed as paths. */
export function jsonWriter({ bind, freshName }: Statement, once: Once): JsonWriter {
  const pathArguments = (json: Sql, keys: readonly string[]) =>
    [json, ...keys.map((key) => bind(key))].join(', ');
  const at: JsonWriter['at'] = (json, keys) =>
    `if(JSONHas(${pathArguments(json, keys)}), JSONExtractRaw(${pathArguments(json, keys)}), null)`;
  const is: JsonWriter['is'] = (kind, json, keys) => {
    const type = `JSONType(${pathArguments(json, keys)})`;
    const exists = keys.length === 0 ? `${json} is not null` : `JSONHas(${pathArguments(json, keys)})`;
    return `if(${exists}, ${type} in (${kinds[kind].join(', ')}), null)`;
  };
  return {
    at,
    is,
    string: (json, keys) =>
      once([keys.length === 0 ? json : at(json, keys)], (name) => {
        const other = `if(JSONType(${name}) = 'Null', null, JSONExtractRaw(${name}))`;
        return `if(JSONType(${name}) = 'String', JSONExtractString(${name}), ${other})`;
      }),
    items: (json, keys) => {
      const raw = `JSONExtractArrayRaw(${pathArguments(`ifNull(${json}, '')`, keys)})`;
      return `cast(${raw} as Array(Nullable(String)))`;
    },
    length: (array) => `toInt64(JSONLength(${array}))`,
    someItem: (items, values, test) =>
      once([items, ...values], (list, ...names) => {
        const item = freshName('v');
        return `arrayExists(${item} -> ifNull(${test(item, names)}, false), ${list})`;
      }),
    ofString: (string) => `toJSONString(${string})`,
    parsed: (string) => once([string], (name) => `if(isValidJSON(${name}), ${name}, null)`),
    compact: (json, keys) => (keys.length > 0 ? at(json, keys) : `JSONExtractRaw(${json})`),
  };
}
