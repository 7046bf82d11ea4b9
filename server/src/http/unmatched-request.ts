import { Refusal } from '../platform/errors.ts';
import type { Method, Route } from './route.ts';

/** Methods that some path supports; any other gets 405 on every path. */
const supported: readonly (Method | 'HEAD')[] = ['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT'];

/** An error with the value of the `Allow` header. */
export interface UnmatchedRequest {
  readonly refusal: Refusal;
  readonly allow: string | undefined;
}

/** The error for a request that no route matches: 405 if the path supports other methods, otherwise 404. */
export function unmatchedRequest(routes: readonly Route[], method: string, url: string): UnmatchedRequest {
  const allowed = allowedMethods(routes, url);
  if (allowed.length === 0 && supported.some((name) => name === method)) {
    return { refusal: unknownPath(), allow: undefined };
  }
  const usable = allowed.length > 0 ? allowed : supported;
  return {
    refusal: new Refusal('METHOD_NOT_ALLOWED', `${method} is not allowed here: use ${usable.join(' or ')}.`),
    allow: usable.join(', '),
  };
}

function unknownPath(): Refusal {
  return new Refusal('NOT_FOUND', 'Not found: see GET /api/v2/docs for the paths that exist.');
}

/** The methods that a path supports; empty if the path does not exist. */
function allowedMethods(routes: readonly Route[], url: string): string[] {
  const path = url.split('?', 1)[0] as string;
  const matching = routes.filter(({ declaration }) => templatePattern(declaration.path).test(path));
  const methods = new Set<string>(matching.map(({ declaration }) => declaration.method));
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].sort();
}

const patterns = new Map<string, RegExp>();

function templatePattern(path: string): RegExp {
  const pattern =
    patterns.get(path) ?? new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{[^}]+\}/g, '[^/]+')}/?$`);
  patterns.set(path, pattern);
  return pattern;
}
