import type { ControlStore } from '../../control/store.ts';
import type { Client } from '../../http/client.ts';
import type { SessionCaller } from '../../identity/caller.ts';
import type { Passwords } from '../../identity/passwords.ts';
import type { SessionCallers } from '../../identity/session-callers.ts';
import type { Sessions, SignIn } from '../../identity/sessions.ts';
import { type SignInLinks, wrongLink } from '../../identity/sign-in-links.ts';
import { userDetails } from '../../identity/user-details.ts';
import { Refusal } from '../../platform/errors.ts';
import {
  endListedSession,
  endSession,
  getSession,
  listSessions,
  setOwnPassword,
  signInWithLink,
  signInWithPassword,
} from './declarations.ts';
import { listedSession, sessionRecord } from './record.ts';

export interface SessionDeps {
  readonly store: ControlStore;
  readonly sessions: Sessions;
  readonly callers: SessionCallers;
  readonly links: SignInLinks;
  readonly passwords: Passwords;
}

export const sessionRoutes = ({ store, sessions, callers, links, passwords }: SessionDeps) => {
  const describe = async (caller: SessionCaller) => ({
    status: 200 as const,
    body: { data: sessionRecord(caller, await userDetails(store.read, caller.userId)) },
  });
  const start = async (client: Client, signIn: Pick<SignIn, 'userId' | 'proof' | 'redeem'>) => {
    const { address, userAgent, sessionValue: replaced } = client;
    const value = await sessions.start({ ...signIn, address, userAgent, replaced });
    const resolved = await callers.resolve(value);
    if (!resolved) throw wrongPassword();
    client.keepSession(value);
    return describe(resolved.caller);
  };
  return [
    signInWithLink.handle(async ({ body: { code }, attempt, client }) => {
      const userId = await links.userOf(code);
      if (userId === undefined) return attempt.reject('sign_in_link', wrongLink(), { known: undefined });
      await attempt.accept(userId);
      return start(client, { userId, proof: 'a sign-in link', redeem: (tx) => links.redeem(tx, code) });
    }),
    signInWithPassword.handle(async ({ body, attempt, client }) => {
      const keyId = body.email.trim().toLowerCase();
      attempt.beginPassword(keyId, await passwords.isFamiliar(keyId, client.address));
      const { userId, known } = await passwords.verify(keyId, body.password, client.address);
      if (userId === undefined) return attempt.reject('password', wrongPassword(), { keyId, known });
      await attempt.accept(userId, { keyId, limit: undefined });
      return start(client, { userId, proof: 'a password' });
    }),
    getSession.handle(({ caller }) => describe(caller)),
    endSession.handle(async ({ caller, client }) => {
      await sessions.end(caller, caller.session.id);
      client.dropSession();
      return { status: 204 };
    }),
    setOwnPassword.handle(async ({ body, caller, client, attempt }) => {
      const { email: keyId } = caller;
      if (body.current !== undefined) attempt.beginPassword(keyId, true);
      await passwords.change(caller, {
        password: body.password,
        current: body.current,
        address: client.address,
        rejectCurrent: (refusal, known) => attempt.reject('password', refusal, { keyId, known }),
      });
      return { status: 204 };
    }),
    listSessions.handle(async ({ caller }) => {
      const all = await sessions.list(caller.userId);
      return { status: 200, body: { data: all.map((one) => listedSession(one, caller.session.id)) } };
    }),
    endListedSession.handle(async ({ params: { id }, caller, client }) => {
      await sessions.end(caller, id);
      if (id === caller.session.id) client.dropSession();
      return { status: 204 };
    }),
  ];
};

/** The same error for an unknown or disabled user, one without a password, and a wrong password. */
function wrongPassword(): Refusal {
  return new Refusal('UNAUTHENTICATED', 'The e-mail address or the password is wrong: check both.');
}
