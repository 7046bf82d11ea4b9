import { type TSchema, Type } from 'typebox';

/** How responses show a secret: as an empty string, or verbatim because clients compare it. */
export type SecretTreatment = 'blank' | 'shown';

export const secretMark = 'x-secret';

/** Marks a file, which has its own length limit and is excluded from the limit of `data`. */
export const fileMark = 'x-file';

export const destinationMark = 'x-destination';

/** Part of the published schemas. */
export interface DestinationMark {
  /** The effective value of an omitted member. */
  readonly leftOut?: string | boolean;
  /** A domain whose hosts are all operated by one vendor: a change between them is not a new destination. */
  readonly within?: string;
}

/** Marks a member that determines where the secrets are sent: a change of it requires the secrets again. */
export function destination<Schema extends TSchema>(schema: Schema, mark: DestinationMark = {}): Schema {
  return Type.With(schema, { [destinationMark]: mark }) as unknown as Schema;
}

export function requiredString(description: string, maxLength = 2_048) {
  return Type.String({ minLength: 1, maxLength, description });
}

/** A string that clients always send, empty if unset. */
export function anyString(description: string, maxLength = 2_048) {
  return Type.String({ maxLength, description });
}

/** A webhook URL is a secret itself, and the destination of all other secrets. */
export function webAddress(description: string) {
  const address = Type.String({
    pattern: '^https?://\\S+$',
    maxLength: 4_096,
    description: `${description} It begins with http:// or https://.`,
    [secretMark]: 'shown',
  });
  return destination(address);
}

/** Never returned. It may be empty, because a client that restores a backup only has the response of GET. */
export function blankSecret(description: string) {
  return Type.String({ maxLength: 16_384, description, [secretMark]: 'blank' });
}

export function shownSecret(description: string) {
  return Type.String({ minLength: 1, maxLength: 16_384, description, [secretMark]: 'shown' });
}

export function choice<const Word extends string>(words: readonly Word[], description: string) {
  return Type.Enum(words as unknown as [Word, ...Word[]], { description });
}

/** A file in JSON, in the only encoding that clients decode. */
export function dataUri(description: string) {
  return Type.String({
    pattern: '^data:[^,]*;base64,(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$',
    maxLength: 700_000,
    description,
    [fileMark]: true,
  });
}

export function strings(description: string, maxItems = 1_000) {
  return Type.Array(Type.String({ maxLength: 2_048 }), { maxItems, description });
}

/** An array of objects with one pair each; keys may repeat. */
export function labels(description: string) {
  const pair = Type.Record(Type.String({ maxLength: 256 }), Type.String({ maxLength: 1_024 }), {
    minProperties: 1,
    maxProperties: 1,
    description: 'One key with its value.',
  });
  return Type.Array(pair, { maxItems: 1_000, description });
}
