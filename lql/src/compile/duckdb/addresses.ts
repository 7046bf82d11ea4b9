import type { Sql } from '../dialect.ts';
import type { Once } from './once.ts';

const byte = '(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])';
const bits4 = '(3[0-2]|[12]?[0-9])';
const bits6 = '(12[0-8]|1[01][0-9]|[1-9]?[0-9])';
const dotted = String.raw`${byte}(\.${byte}){3}`;

/**
 * IP addresses without an engine extension, compared by hexadecimal digits: 8 for IPv4, 32 for IPv6.
 */
export function addresses(once: Once) {
  const isFour = (text: Sql) => `regexp_full_match(${text}, '${dotted}(/${bits4})?')`;
  const bare = (text: Sql) => `split_part(${text}, '/', 1)`;
  const hex = (number: Sql, width: number) => `lpad(lower(to_hex(${number})), ${width}, '0')`;
  const octet = (text: Sql, at: number) => `try_cast(split_part(${text}, '.', ${at}) as integer)`;
  const digits4 = (text: Sql) => [1, 2, 3, 4].map((at) => hex(octet(bare(text), at), 2)).join(' || ');

  /** Converts a trailing dotted IPv4 part to two groups. */
  const grouped = (text: Sql) =>
    once([`lower(${bare(text)})`], (name) =>
      once([`regexp_extract(${name}, ':(${dotted})$', 1)`], (tail) => {
        const pair = (a: number, b: number) => `${hex(octet(tail, a), 2)} || ${hex(octet(tail, b), 2)}`;
        return `case when ${tail} = '' then ${name} else left(${name}, length(${name}) - length(${tail})) || ${pair(1, 2)} || ':' || ${pair(3, 4)} end`;
      }),
    );
  const groupsOf = (text: Sql) => `case when ${text} = '' then [] else string_split(${text}, ':') end`;
  /** The eight zero-padded groups; null for an invalid address. */
  const digits6 = (text: Sql) =>
    once([`string_split(${grouped(text)}, '::')`], (halves) =>
      once([groupsOf(`${halves}[1]`), groupsOf(`coalesce(${halves}[2], '')`)], (head, tail) => {
        const missing = `8 - len(${head}) - len(${tail})`;
        const zeros = `list_transform(range(${missing}), lambda z: '0')`;
        const fits = `case len(${halves}) when 1 then len(${head}) = 8 when 2 then ${missing} > 0 else false end`;
        const all = `list_concat(list_concat(${head}, ${zeros}), ${tail})`;
        return once(
          [`case when ${fits} then ${all} end`],
          (groups) =>
            `case when len(list_filter(${groups}, lambda g: not regexp_full_match(g, '[0-9a-f]{1,4}'))) = 0 then array_to_string(list_transform(${groups}, lambda g: lpad(g, 4, '0')), '') end`,
        );
      }),
    );
  const isSuffixed6 = (text: Sql) => `regexp_full_match(${text}, '[^/]*(/${bits6})?')`;
  /** Digits and prefix length; null for an invalid address. */
  const read = (text: Sql) =>
    once([text], (name) => {
      const length = (whole: number) =>
        `coalesce(try_cast(nullif(split_part(${name}, '/', 2), '') as bigint), ${whole})`;
      const of = (digits: Sql, whole: number) => `{'d': ${digits}, 'n': ${length(whole)}}`;
      const six = once(
        [digits6(name)],
        (digits) => `case when ${digits} is not null then ${of(digits, 128)} end`,
      );
      return `case when ${isFour(name)} then ${of(digits4(name), 32)} when ${isSuffixed6(name)} then ${six} end`;
    });
  /** Value of the leading bits of a hexadecimal digit. */
  const firstBits = (digit: Sql, bits: Sql) => `((instr('0123456789abcdef', ${digit}) - 1) >> (4 - ${bits}))`;

  return {
    address: (text: Sql) =>
      once([text], (name) => `case when ${read(name)} is not null then ${bare(name)} end`),
    family: (text: Sql) =>
      once(
        [read(text)],
        (it) => `case length(${it}.d) when 8 then cast(4 as bigint) when 32 then cast(6 as bigint) end`,
      ),
    bits: (text: Sql) => once([read(text)], (it) => `${it}.n`),
    contains: (network: Sql, address: Sql) =>
      once([read(network), read(address)], (a, b) => {
        const same = `left(${a}.d, ${a}.n // 4) = left(${b}.d, ${a}.n // 4)`;
        const digit = (it: Sql) => firstBits(`substring(${it}.d, ${a}.n // 4 + 1, 1)`, `${a}.n % 4`);
        const rest = `(${a}.n % 4 = 0 or ${digit(a)} = ${digit(b)})`;
        const inside = `length(${a}.d) = length(${b}.d) and ${a}.n <= ${b}.n and ${same} and ${rest}`;
        return `case when ${a} is not null and ${b} is not null then ${inside} end`;
      }),
  };
}
