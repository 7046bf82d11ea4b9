/** One way to write a secret. */
export interface SecretForm {
  readonly text: string;
  /** Emails around it may hold bits of it. */
  readonly isBase64: boolean;
}

/** How a secret may be written, on its own or amid other bytes; escapes are taken off the text that is searched. */
export function formsOf(secret: string): SecretForm[] {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString('hex');
  return [
    ...[secret, hex, hex.toUpperCase()].map((text) => ({ text, isBase64: false })),
    ...[0, 1, 2].flatMap((before) => base64Amid(bytes, before)),
  ];
}

/** The letters that the bytes decide alone when so many bytes, modulo three, stand before them. */
function base64Amid(bytes: Buffer, before: number): SecretForm[] {
  const first = Math.ceil((before * 8) / 6);
  const end = Math.floor(((before + bytes.length) * 8) / 6);
  const padded = Buffer.concat([Buffer.alloc(before), bytes]);
  return (['base64', 'base64url'] as const).map((alphabet) => ({
    text: padded.toString(alphabet).slice(first, end),
    isBase64: true,
  }));
}
