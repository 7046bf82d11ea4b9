import { type TNull, type TOptional, type TSchema, type TUnion, Type } from 'typebox';

/** An optional member where null equals absence: clients send null for values they do not set. */
export function omissible<Schema extends TSchema>(schema: Schema): TOptional<TUnion<[Schema, TNull]>> {
  const { description } = schema as { description?: string };
  return Type.Optional(Type.Union([schema, Type.Null()], description === undefined ? {} : { description }));
}

export function omissibles(members: Readonly<Record<string, TSchema>>) {
  return Object.fromEntries(Object.entries(members).map(([key, schema]) => [key, omissible(schema)]));
}
