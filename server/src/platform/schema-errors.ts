import type { ErrorObject } from 'ajv/dist/2020.js';

/**
 * The validation errors worth reporting. For a union without a matching variant these are the errors of the variant
 * that matches deepest, because the others were not intended. Each member is reported once.
 */
export function relevantErrors(errors: readonly ErrorObject[]): ErrorObject[] {
  const kept: ErrorObject[] = [];
  for (const error of errors) {
    // Ajv reports the variants of a union first, then the union itself.
    if (error.keyword !== 'anyOf' && error.keyword !== 'oneOf') kept.push(error);
    else kept.push(...intendedVariant(error, takeInside(kept, error)));
  }
  const seen = new Set<string>();
  return kept.filter((error) => {
    const location = `${error.instancePath}\0${error.params.missingProperty ?? error.params.additionalProperty ?? ''}`;
    return !seen.has(location) && seen.add(location);
  });
}

/** Removes and returns the trailing errors from inside the union. */
function takeInside(kept: ErrorObject[], { schemaPath, instancePath }: ErrorObject): ErrorObject[] {
  let start = kept.length;
  const isInside = (error: ErrorObject | undefined) =>
    error?.schemaPath.startsWith(`${schemaPath}/`) && error.instancePath.startsWith(instancePath);
  while (isInside(kept[start - 1])) start--;
  return kept.splice(start);
}

function intendedVariant(union: ErrorObject, inside: readonly ErrorObject[]): readonly ErrorObject[] {
  const variants = new Map<string, ErrorObject[]>();
  for (const error of inside) {
    const variant = error.schemaPath.slice(union.schemaPath.length + 1).split('/', 1)[0] as string;
    const errors = variants.get(variant);
    if (errors) errors.push(error);
    else variants.set(variant, [error]);
  }
  let best: readonly ErrorObject[] = [union];
  let deepest = -1;
  for (const errors of variants.values()) {
    const depth = Math.max(...errors.map(depthOf));
    if (depth > deepest) [best, deepest] = [errors, depth];
  }
  return best;
}

function depthOf(error: ErrorObject): number {
  const { instancePath, keyword } = error;
  let depth = keyword === 'required' || keyword === 'additionalProperties' ? 1 : 0;
  for (let slash = instancePath.indexOf('/'); slash >= 0; slash = instancePath.indexOf('/', slash + 1))
    depth++;
  return depth;
}
