import type { Route } from './route.ts';

/** The methods that a path takes, for `Allow`; none when the path does not exist. */
export function allowedMethods(routes: readonly Route[], url: string): string[] {
  const path = url.split('?', 1)[0] as string;
  const matching = routes.filter(({ declaration }) => templatePattern(declaration.path).test(path));
  const methods = new Set<string>(matching.map(({ declaration }) => declaration.method));
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].sort();
}

function templatePattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{[^}]+\}/g, '[^/]+')}/?$`);
}
