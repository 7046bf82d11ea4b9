import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import './design/fonts.css';
import './design/tokens.css';
import './design/base.css';
import { Problem } from './api/problem.ts';
import { applyTheme } from './preferences/theme.ts';
import { createConsoleRouter } from './router.tsx';
import { rememberKeys } from './shell/keys.ts';

applyTheme();
rememberKeys();

/** Responses of the server are final, unless it was busy or not reached. */
const isWorthRetrying = (count: number, error: unknown) =>
  count < 2 && error instanceof Problem && (error.status === 0 || error.status >= 502);

const queries = new QueryClient({
  defaultOptions: { queries: { retry: isWorthRetrying, staleTime: 10_000, refetchOnWindowFocus: false } },
});
const router = createConsoleRouter(queries);

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
}
