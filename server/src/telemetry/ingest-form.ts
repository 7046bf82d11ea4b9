import { type TObject, type TSchema, Type } from 'typebox';
import { omissible } from '../platform/omissible.ts';
import { Validator } from '../platform/validator.ts';
import type { Member, MemberType, TelemetryDataset } from './dataset.ts';

/** Maximum length of a string. Longer than any argument that Linux accepts, 128 KB. */
export const maxStringLength = 1_000_000;

const schemas: Record<MemberType, TSchema> = {
  string: Type.String({ maxLength: maxStringLength }),
  // JSON.parse rounds the largest 64-bit integer up to 2^63; the engine parses the JSON itself and is exact.
  integer: Type.Integer({ minimum: -(2 ** 63), maximum: 2 ** 63 }),
  number: Type.Number(),
  boolean: Type.Boolean(),
  time: Type.String({ format: 'instant' }),
  json: Type.Unsafe({ type: ['object', 'array'] }),
};

/**
 * The schema of a reported record: its declared members. Others are allowed and stored, so that newer agents can add
 * some. `described` extends the schema of a member for documentation.
 */
export function ingestSchema(
  { members, search }: TelemetryDataset,
  described: (member: Member, schema: TSchema) => TSchema = (_, schema) => schema,
): TObject {
  const entries = Object.entries(members).map(([name, member]) => {
    // The value of a computed member is ignored: one that only newer agents know must not cost the record.
    const isChecked = member.values && name !== search?.activity?.member;
    const base = isChecked ? Type.Enum([...(member.values ?? [])]) : schemas[member.type];
    const schema = described(member, base);
    return [name, member.optional ? omissible(schema) : schema];
  });
  return Type.Object(Object.fromEntries(entries));
}

const validators = new Map<TelemetryDataset, Validator>();

/** Refuses a record that does not match its dataset; `index` is its position in the batch. */
export function checkRecord(dataset: TelemetryDataset, record: unknown, index: number): void {
  let validator = validators.get(dataset);
  if (!validator) {
    validator = new Validator(ingestSchema(dataset), 'record');
    validators.set(dataset, validator);
  }
  validator.check(record, `records[${index}]`);
}
