import { type TSchema, Type } from 'typebox';

/** What becomes of a secret in responses: present but empty, or as it is because clients compare it. */
export type SecretTreatment = 'blank' | 'shown';

export const secretMark = 'x-secret';

/** Marks a file, which has a length of its own and does not count to that of `data`. */
export const fileMark = 'x-file';

export const destinationMark = 'x-destination';

export interface DestinationMark {
  /** The value that stands for a member that is left out. */
  readonly leftOut?: string | boolean;
  /** A domain whose hosts are all run by one vendor: moving between them changes nothing. */
  readonly within?: string;
}

/** Marks a member that decides where the secrets beside it are sent: whoever changes it must give them again. */
export function destination<Schema extends TSchema>(schema: Schema, mark: DestinationMark = {}): Schema {
  return Type.With(schema, { [destinationMark]: mark }) as unknown as Schema;
}

export function text(description: string, maxLength = 2_048) {
  return Type.String({ minLength: 1, maxLength, description });
}

/** Text that clients always send, empty when there is nothing to say. */
export function anyString(description: string, maxLength = 2_048) {
  return Type.String({ maxLength, description });
}

/** The address of a webhook is a secret, and decides where any other secret beside it is sent. */
export function webAddress(description: string) {
  const address = Type.String({
    pattern: '^https?://\\S+$',
    maxLength: 4_096,
    description: `${description} It begins with http:// or https://.`,
    [secretMark]: 'shown',
  });
  return destination(address);
}

/** Never comes back. It may be empty: a client that restores a backup has only what GET returned. */
export function blankSecret(description: string) {
  return Type.String({ maxLength: 16_384, description, [secretMark]: 'blank' });
}

export function shownSecret(description: string) {
  return Type.String({ minLength: 1, maxLength: 16_384, description, [secretMark]: 'shown' });
}

export function choice<const Word extends string>(words: readonly Word[], description: string) {
  return Type.Enum(words as unknown as [Word, ...Word[]], { description });
}

/** A file inside JSON, in the one form that clients decode. */
export function dataUri(description: string) {
  return Type.String({
    pattern: '^data:[^,]*;base64,(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$',
    maxLength: 700_000,
    description,
    [fileMark]: true,
  });
}

export function texts(description: string, maxItems = 1_000) {
  return Type.Array(Type.String({ maxLength: 2_048 }), { maxItems, description });
}

/** A list of one-pair objects; the same key may repeat. */
export function labels(description: string) {
  const pair = Type.Record(Type.String({ maxLength: 256 }), Type.String({ maxLength: 1_024 }), {
    minProperties: 1,
    maxProperties: 1,
    description: 'One key with its value.',
  });
  return Type.Array(pair, { maxItems: 1_000, description });
}
