import type { TObject } from 'typebox';
import type { IntegrationData } from './declaration.ts';

export interface MarkedMember<Mark> {
  readonly path: readonly string[];
  readonly mark: Mark;
}

/** Members of a schema with a mark, in nested objects too; arrays are not searched. */
export function markedMembers<Mark>(schema: TObject, name: string): readonly MarkedMember<Mark>[] {
  return find<Mark>(schema, name, []);
}

function find<Mark>(schema: TObject, name: string, parent: readonly string[]): MarkedMember<Mark>[] {
  return Object.entries(schema.properties).flatMap(([member, property]) => {
    const path = [...parent, member];
    const mark = (property as { readonly [key: string]: unknown })[name] as Mark | undefined;
    if (mark !== undefined) return [{ path, mark }];
    return 'properties' in property ? find<Mark>(property as TObject, name, path) : [];
  });
}

export function readMember(data: unknown, [name, ...rest]: readonly string[]): unknown {
  const value = isObject(data) && name !== undefined && Object.hasOwn(data, name) ? data[name] : undefined;
  return rest.length === 0 ? value : readMember(value, rest);
}

export function writeMember(
  data: IntegrationData,
  [name, ...rest]: readonly string[],
  value: unknown,
): IntegrationData {
  const inner =
    rest.length === 0 ? value : writeMember((data[name as string] ?? {}) as IntegrationData, rest, value);
  return { ...data, [name as string]: inner };
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
