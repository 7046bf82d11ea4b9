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
  const isIPv4 = (string: Sql) => `regexp_full_match(${string}, '${dotted}(/${bits4})?')`;
  const bare = (string: Sql) => `split_part(${string}, '/', 1)`;
  const hex = (number: Sql, width: number) => `lpad(lower(to_hex(${number})), ${width}, '0')`;
  const octet = (string: Sql, at: number) => `try_cast(split_part(${string}, '.', ${at}) as integer)`;
  const digits4 = (string: Sql) => [1, 2, 3, 4].map((at) => hex(octet(bare(string), at), 2)).join(' || ');

  /** Converts a trailing dotted IPv4 part to two groups. */
  const grouped = (string: Sql) =>
    once([`lower(${bare(string)})`], (name) =>
      once([`regexp_extract(${name}, ':(${dotted})$', 1)`], (tail) => {
        const pair = (a: number, b: number) => `${hex(octet(tail, a), 2)} || ${hex(octet(tail, b), 2)}`;
        return `case when ${tail} = '' then ${name} else left(${name}, length(${name}) - length(${tail})) || ${pair(1, 2)} || ':' || ${pair(3, 4)} end`;
      }),
    );
  const groupsOf = (string: Sql) => `case when ${string} = '' then [] else string_split(${string}, ':') end`;
  /** The eight zero-padded groups; null for an invalid address. */
  const digits6 = (string: Sql) =>
    once([`string_split(${grouped(string)}, '::')`], (halves) =>
      once([groupsOf(`${halves}[1]`), groupsOf(`coalesce(${halves}[2], '')`)], (head, tail) => {
        const missing = `8 - len(${head}) - len(${tail})`;
        const zeros = `list_transform(range(${missing}), lambda z: '0')`;
        const isComplete = `case len(${halves}) when 1 then len(${head}) = 8 when 2 then ${missing} > 0 else false end`;
        const all = `list_concat(list_concat(${head}, ${zeros}), ${tail})`;
        return once(
          [`case when ${isComplete} then ${all} end`],
          (groups) =>
            `case when len(list_filter(${groups}, lambda g: not regexp_full_match(g, '[0-9a-f]{1,4}'))) = 0 then array_to_string(list_transform(${groups}, lambda g: lpad(g, 4, '0')), '') end`,
        );
      }),
    );
  const isSuffixedIPv6 = (string: Sql) => `regexp_full_match(${string}, '[^/]*(/${bits6})?')`;
  /** Digits and prefix length; null for an invalid address. */
  const parsed = (string: Sql) =>
    once([string], (name) => {
      const length = (integer: number) =>
        `coalesce(try_cast(nullif(split_part(${name}, '/', 2), '') as bigint), ${integer})`;
      const of = (digits: Sql, integer: number) => `{'d': ${digits}, 'n': ${length(integer)}}`;
      const ipv6 = once(
        [digits6(name)],
        (digits) => `case when ${digits} is not null then ${of(digits, 128)} end`,
      );
      return `case when ${isIPv4(name)} then ${of(digits4(name), 32)} when ${isSuffixedIPv6(name)} then ${ipv6} end`;
    });
  /** Value of the leading bits of a hexadecimal digit. */
  const firstBits = (digit: Sql, bits: Sql) => `((instr('0123456789abcdef', ${digit}) - 1) >> (4 - ${bits}))`;

  return {
    address: (string: Sql) =>
      once([string], (name) => `case when ${parsed(name)} is not null then ${bare(name)} end`),
    family: (string: Sql) =>
      once(
        [parsed(string)],
        (address) =>
          `case length(${address}.d) when 8 then cast(4 as bigint) when 32 then cast(6 as bigint) end`,
      ),
    bits: (string: Sql) => once([parsed(string)], (address) => `${address}.n`),
    contains: (network: Sql, address: Sql) =>
      once([parsed(network), parsed(address)], (a, b) => {
        const same = `left(${a}.d, ${a}.n // 4) = left(${b}.d, ${a}.n // 4)`;
        const digit = (address: Sql) =>
          firstBits(`substring(${address}.d, ${a}.n // 4 + 1, 1)`, `${a}.n % 4`);
        const rest = `(${a}.n % 4 = 0 or ${digit(a)} = ${digit(b)})`;
        const inside = `length(${a}.d) = length(${b}.d) and ${a}.n <= ${b}.n and ${same} and ${rest}`;
        return `case when ${a} is not null and ${b} is not null then ${inside} end`;
      }),
  };
}
