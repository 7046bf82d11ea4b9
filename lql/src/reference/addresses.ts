/** Bits of an address, one character each, and its prefix length. */
export interface Address {
  readonly bits: string;
  readonly prefix: number;
}

export function readAddress(string: string): Address | null {
  const [address = '', prefix, ...rest] = string.split('/');
  if (rest.length > 0) return null;
  const bits = ipv4Bits(address) ?? ipv6Bits(address);
  if (bits === null) return null;
  if (prefix === undefined) return { bits, prefix: bits.length };
  if (!/^(0|[1-9]\d*)$/.test(prefix) || Number(prefix) > bits.length) return null;
  return { bits, prefix: Number(prefix) };
}

export const contains = (network: Address, inner: Address): boolean =>
  network.bits.length === inner.bits.length &&
  network.prefix <= inner.prefix &&
  network.bits.slice(0, network.prefix) === inner.bits.slice(0, network.prefix);

const binary = (number: number, width: number) => number.toString(2).padStart(width, '0');

function ipv4Bits(string: string): string | null {
  const bytes = string.split('.');
  const valid = bytes.every((byte) => /^(0|[1-9]\d{0,2})$/.test(byte) && Number(byte) < 256);
  return bytes.length === 4 && valid ? bytes.map((byte) => binary(Number(byte), 8)).join('') : null;
}

function ipv6Bits(string: string): string | null {
  const halves = string.split('::');
  if (halves.length > 2) return null;
  const [head = null, tail = ''] = halves.map((half, at) => groupsOf(half, at === halves.length - 1));
  if (head === null || tail === null) return null;
  const missing = 128 - head.length - tail.length;
  if (halves.length === 1) return missing === 0 ? head : null;
  return missing > 0 ? `${head}${'0'.repeat(missing)}${tail}` : null;
}

/** Bits of the groups on one side of `::`; the last may be dotted IPv4, but not alone. */
function groupsOf(half: string, isLast: boolean): string | null {
  if (half === '') return '';
  const groups = half.split(':');
  const bits = groups.map((group, at) => {
    if (/^[0-9a-fA-F]{1,4}$/.test(group)) return binary(Number.parseInt(group, 16), 16);
    return isLast && at === groups.length - 1 ? ipv4Bits(group) : null;
  });
  return bits.includes(null) ? null : bits.join('');
}
