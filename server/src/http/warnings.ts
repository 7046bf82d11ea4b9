import { type TObject, type TSchema, Type } from 'typebox';
import { unknownMembers } from '../platform/unknown-members.ts';
import { bodySchema, type Operation, returnsWarnings } from './operation.ts';
import { JsonBytes, JsonChunks } from './reply.ts';
import type { AnyOutput, Declaration } from './route.ts';

const warningsMember = Type.Optional(
  Type.Array(Type.String({ maxLength: 2_000 }), {
    maxItems: 100,
    description:
      'Present if there are any: unknown members of the request, which were ignored, and values that match nothing.',
  }),
);

/** The schema of a successful response, with `warnings` if the operation returns them. */
export function responseSchema(declaration: Declaration, schema: TSchema): TSchema {
  if (!returnsWarnings(declaration)) return schema;
  const { properties, ...rest } = schema as TObject;
  return { ...rest, properties: { warnings: warningsMember, ...properties } } as TSchema;
}

/** Adds warnings about the request, if any, before the other members of the response. */
export function withWarnings({ route }: Operation, requested: unknown, output: AnyOutput): AnyOutput {
  const { body, warnings = [] } = output;
  const all = [...unknownMembers(bodySchema(route.declaration), requested), ...warnings];
  if (all.length === 0) return output;
  if (body instanceof JsonBytes || body instanceof JsonChunks)
    return { ...output, body: body.withMembersFirst(`"warnings":${JSON.stringify(all)}`) };
  return { ...output, body: { warnings: all, ...(body as object) } };
}
