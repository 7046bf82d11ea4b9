import type { TSchema } from 'typebox';

/** A resource family: the tag of its operations and what GET /schemas says about its records. */
export interface Family {
  readonly name: string;
  readonly description: string;
  /** The form of a record. */
  readonly record?: TSchema;
  /** Record datasets answer `/schemas/{type}` with a list of columns instead of a JSON schema. */
  readonly isDataset?: boolean;
  /** Kinds of record with a form of their own, by name. */
  readonly subtypes?: Readonly<Record<string, TSchema>>;
}
