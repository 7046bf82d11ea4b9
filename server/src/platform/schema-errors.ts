import type { ErrorObject } from 'ajv/dist/2020.js';

/**
 * Of everything that a schema complains about, what the sender has to know. Where a union matches none of its forms, that
 * is the errors of the form that matches furthest inside: the others were not meant. Each member is complained about once.
 */
export function relevantErrors(errors: readonly ErrorObject[]): ErrorObject[] {
  const kept: ErrorObject[] = [];
  for (const error of errors) {
    // Ajv reports the forms of a union first, then the union itself.
    if (error.keyword !== 'anyOf' && error.keyword !== 'oneOf') kept.push(error);
    else kept.push(...meantForm(error, takeInside(kept, error)));
  }
  const seen = new Set<string>();
  return kept.filter((error) => {
    const place = `${error.instancePath}\0${error.params.missingProperty ?? error.params.additionalProperty ?? ''}`;
    return !seen.has(place) && seen.add(place);
  });
}

/** Removes from the end what was reported inside the union. */
function takeInside(kept: ErrorObject[], { schemaPath, instancePath }: ErrorObject): ErrorObject[] {
  let start = kept.length;
  const isInside = (error: ErrorObject | undefined) =>
    error?.schemaPath.startsWith(`${schemaPath}/`) && error.instancePath.startsWith(instancePath);
  while (isInside(kept[start - 1])) start--;
  return kept.splice(start);
}

function meantForm(union: ErrorObject, inside: readonly ErrorObject[]): readonly ErrorObject[] {
  const forms = new Map<string, ErrorObject[]>();
  for (const error of inside) {
    const form = error.schemaPath.slice(union.schemaPath.length + 1).split('/', 1)[0] as string;
    const others = forms.get(form);
    if (others) others.push(error);
    else forms.set(form, [error]);
  }
  let best: readonly ErrorObject[] = [union];
  let deepest = -1;
  for (const errors of forms.values()) {
    const depth = Math.max(...errors.map(depthOf));
    if (depth > deepest) [best, deepest] = [errors, depth];
  }
  return best;
}

function depthOf(error: ErrorObject): number {
  const { instancePath, keyword } = error;
  let depth = keyword === 'required' || keyword === 'additionalProperties' ? 1 : 0;
  for (let place = instancePath.indexOf('/'); place >= 0; place = instancePath.indexOf('/', place + 1))
    depth++;
  return depth;
}
