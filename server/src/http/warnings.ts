import { type TObject, type TSchema, Type } from 'typebox';
import { unknownMembers } from '../platform/unknown-members.ts';
import { bodySchema, type Operation, returnsWarnings } from './operation.ts';
import { JsonBytes, JsonChunks } from './reply.ts';
import type { AnyOutput, Declaration } from './route.ts';

const member = Type.Optional(
  Type.Array(Type.String({ maxLength: 2_000 }), {
    maxItems: 100,
    description:
      'Only when there are any: members of the request that are unknown and were ignored, and values that match nothing.',
  }),
);

/** The form of a success as the operation answers it. */
export function responseSchema(declaration: Declaration, form: TSchema): TSchema {
  if (!returnsWarnings(declaration)) return form;
  const { properties, ...rest } = form as TObject;
  return { ...rest, properties: { warnings: member, ...properties } } as TSchema;
}

/** The answer with what is said about the request, if anything, before its other members. */
export function withWarnings({ route }: Operation, requested: unknown, output: AnyOutput): AnyOutput {
  const { body, warnings = [] } = output;
  const all = [...unknownMembers(bodySchema(route.declaration), requested), ...warnings];
  if (all.length === 0) return output;
  if (body instanceof JsonBytes || body instanceof JsonChunks)
    return { ...output, body: body.ledBy(`"warnings":${JSON.stringify(all)}`) };
  return { ...output, body: { warnings: all, ...(body as object) } };
}
