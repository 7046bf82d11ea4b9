import { type TObject, type TSchema, Type } from 'typebox';
import { omissible } from '../platform/omissible.ts';
import { Validator } from '../platform/validator.ts';
import type { Member, MemberType, TelemetryDataset } from './dataset.ts';

/** Characters of one text. Longer than any command line that Linux takes in one argument, 128 KB. */
export const longestText = 1_000_000;

const forms: Record<MemberType, TSchema> = {
  string: Type.String({ maxLength: longestText }),
  // JSON.parse rounds the largest 64-bit integer up to 2^63; the engine, which reads the text itself, is exact.
  integer: Type.Integer({ minimum: -(2 ** 63), maximum: 2 ** 63 }),
  number: Type.Number(),
  boolean: Type.Boolean(),
  time: Type.String({ format: 'moment' }),
  json: Type.Unsafe({ type: ['object', 'array'] }),
};

/**
 * What is asked of one record that comes in: its declared members. Others may be there and are kept. `described` adds to
 * what is asked of a member what readers want to know of it.
 */
export function ingestForm(
  { members }: TelemetryDataset,
  described: (member: Member, form: TSchema) => TSchema = (_, form) => form,
): TObject {
  const entries = Object.entries(members).map(([name, member]) => {
    const asked = member.values ? Type.Enum([...member.values]) : forms[member.type];
    const form = described(member, asked);
    return [name, member.optional ? omissible(form) : form];
  });
  return Type.Object(Object.fromEntries(entries));
}

const validators = new Map<TelemetryDataset, Validator>();

/** Refuses a record that is not of its dataset; `index` is its place in the batch. */
export function checkRecord(dataset: TelemetryDataset, record: unknown, index: number): void {
  let validator = validators.get(dataset);
  if (!validator) {
    validator = new Validator(ingestForm(dataset), 'record');
    validators.set(dataset, validator);
  }
  validator.check(record, `records[${index}]`);
}
