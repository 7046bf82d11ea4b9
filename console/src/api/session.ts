import { queryOptions } from '@tanstack/react-query';
import { Problem } from './problem.ts';
import { send } from './send.ts';

export interface Account {
  readonly name: string;
  readonly role: string;
  readonly isReadOnly: boolean;
}

export interface Session {
  readonly user: { readonly email: string; readonly firstName: string; readonly lastName: string };
  readonly accounts: readonly Account[];
  readonly organizationRole: string | null;
  readonly expiresAt: string;
  readonly hasPassword: boolean;
  readonly lastSignIn: string | null;
}

/** Null if nobody is signed in. */
async function currentSession(signal?: AbortSignal): Promise<Session | null> {
  try {
    const { data } = (await send({ method: 'GET', path: '/session', signal })) as { data: Session };
    return data;
  } catch (error) {
    if (error instanceof Problem && error.status === 401) return null;
    throw error;
  }
}

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => currentSession(signal),
  staleTime: 5 * 60_000,
});

export const signInWithPassword = (email: string, password: string) =>
  send({ method: 'POST', path: '/session/password', body: { email, password } });

export const signInWithCode = (code: string) =>
  send({ method: 'POST', path: '/session/link', body: { code } });

export const choosePassword = (password: string) =>
  send({ method: 'PUT', path: '/session/own-password', body: { password } });

export const signOut = () => send({ method: 'DELETE', path: '/session' });
