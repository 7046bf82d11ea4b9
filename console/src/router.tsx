import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { base } from './api/base.ts';
import { type Session, sessionQuery } from './api/session.ts';
import { readAlertsSearch } from './screens/alerts/search.ts';
import { Crash } from './screens/crash.tsx';
import { NoAccount } from './screens/no-account.tsx';
import { NotFound } from './screens/not-found.tsx';
import { ownPath } from './screens/sign-in/own-path.ts';
import { SignIn } from './screens/sign-in/sign-in.tsx';
import { Welcome } from './screens/sign-in/welcome.tsx';
import { parseSearch, type Search, stringifySearch } from './shell/search-string.ts';
import { Shell } from './shell/shell.tsx';

interface Context {
  readonly queries: QueryClient;
}

/** The session, or the way to the sign-in and back. */
async function requireSession({ queries }: Context, href: string): Promise<Session> {
  const session = await queries.ensureQueryData(sessionQuery);
  if (session) return session;
  const to = href === '/' ? undefined : ownPath(href);
  throw redirect({ to: '/sign-in', search: to === undefined ? {} : { to } });
}

const root = createRootRouteWithContext<Context>()({
  component: Outlet,
  notFoundComponent: NotFound,
  errorComponent: Crash,
});

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: async ({ context, location }) => {
    const { accounts } = await requireSession(context, location.href);
    const [first] = accounts;
    if (first) throw redirect({ to: '/$account/alerts', params: { account: first.name } });
  },
  component: NoAccount,
});

const welcome = createRoute({ getParentRoute: () => root, path: '/welcome', component: Welcome });

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search: Search): { to?: string } => {
    const to = ownPath(search.to);
    return to === undefined ? {} : { to };
  },
  component: SignIn,
});

const account = createRoute({
  getParentRoute: () => root,
  path: '/$account',
  beforeLoad: ({ context, location }) => requireSession(context, location.href).then(() => undefined),
  component: Shell,
});

const accountHome = createRoute({
  getParentRoute: () => account,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/$account/alerts', params });
  },
});

const alerts = createRoute({
  getParentRoute: () => account,
  path: '/alerts',
  validateSearch: readAlertsSearch,
  component: lazyRouteComponent(() => import('./screens/alerts/alerts.tsx'), 'Alerts'),
});

const alert = createRoute({
  getParentRoute: () => account,
  path: '/alerts/$alertId',
  component: lazyRouteComponent(() => import('./screens/alert/alert.tsx'), 'Alert'),
});

const routeTree = root.addChildren([
  home,
  welcome,
  signIn,
  account.addChildren([accountHome, alerts, alert]),
]);

export function createConsoleRouter(queries: QueryClient) {
  return createRouter({
    routeTree,
    basepath: base || '/',
    context: { queries },
    parseSearch,
    stringifySearch,
    defaultErrorComponent: Crash,
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
