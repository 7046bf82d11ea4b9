/** One encoding of a secret. */
export interface EncodedSecret {
  readonly text: string;
  /** Adjacent characters may contain bits of the secret. */
  readonly isBase64: boolean;
}

/** Encodings of a secret, on its own or among other bytes; escapes are decoded in the searched text instead. */
export function formsOf(secret: string): EncodedSecret[] {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString('hex');
  return [
    ...[secret, hex, hex.toUpperCase()].map((text) => ({ text, isBase64: false })),
    ...[0, 1, 2].flatMap((before) => base64At(bytes, before)),
  ];
}

/** The base64 characters that depend only on these bytes, for a given number (modulo three) of preceding bytes. */
function base64At(bytes: Buffer, before: number): EncodedSecret[] {
  const first = Math.ceil((before * 8) / 6);
  const end = Math.floor(((before + bytes.length) * 8) / 6);
  const padded = Buffer.concat([Buffer.alloc(before), bytes]);
  return (['base64', 'base64url'] as const).map((alphabet) => ({
    text: padded.toString(alphabet).slice(first, end),
    isBase64: true,
  }));
}
