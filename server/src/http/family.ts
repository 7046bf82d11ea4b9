import type { TSchema } from 'typebox';

/** A resource family: the tag of its operations, and the schemas that GET /schemas returns. */
export interface Family {
  readonly name: string;
  readonly description: string;
  /** Schema of a record. */
  readonly record?: TSchema;
  /** For datasets, `/schemas/{type}` returns an array of columns instead of a JSON schema. */
  readonly isDataset?: boolean;
  /** Schemas of subtypes, by name. */
  readonly subtypes?: Readonly<Record<string, TSchema>>;
}
