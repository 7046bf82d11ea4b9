import { Type } from 'typebox';
import { empty } from '../../http/reply.ts';
import { defineRoute } from '../../http/route.ts';
import { ListedSession, SessionRecord } from './record.ts';

const family = {
  name: 'session',
  description: 'Sign-in and sessions of the console; not part of the public interface.',
};
const session = Type.Object({ data: SessionRecord });
const password = (description: string) => Type.String({ minLength: 1, maxLength: 1_000, description });

export const signInWithLink = defineRoute({
  method: 'POST',
  path: '/session/link',
  family,
  summary: 'Sign in with the code of a one-time link',
  access: 'public',
  isPrivate: true,
  startsSession: true,
  rate: 'credential',
  body: Type.Object({
    code: Type.String({ minLength: 1, maxLength: 100, description: 'The code after # in the link.' }),
  }),
  replies: { 200: session },
  refuses: ['UNAUTHENTICATED', 'FORBIDDEN'],
});

export const signInWithPassword = defineRoute({
  method: 'POST',
  path: '/session/password',
  family,
  summary: 'Sign in with an e-mail address and a password',
  access: 'public',
  isPrivate: true,
  startsSession: true,
  rate: 'credential',
  body: Type.Object({
    email: Type.String({ minLength: 1, maxLength: 320, description: 'The e-mail address of the user.' }),
    password: password('The password.'),
  }),
  replies: { 200: session },
  refuses: ['UNAUTHENTICATED', 'FORBIDDEN'],
});

export const getSession = defineRoute({
  method: 'GET',
  path: '/session',
  family,
  summary: 'Get the user of the session and their accounts',
  access: 'session',
  isPrivate: true,
  replies: { 200: session },
});

export const endSession = defineRoute({
  method: 'DELETE',
  path: '/session',
  family,
  summary: 'Sign out: end the session of the request',
  access: 'session',
  isPrivate: true,
  replies: { 204: empty('Signed out.') },
});

export const setOwnPassword = defineRoute({
  method: 'PUT',
  path: '/session/own-password',
  family,
  summary: 'Set the password of the user and end their other sessions',
  access: 'session',
  isPrivate: true,
  rate: 'credential',
  body: Type.Object({
    current: Type.Optional(
      password('The current password; required if the user signed in more than ten minutes ago.'),
    ),
    password: password('The new password.'),
  }),
  replies: { 204: empty('The password is set.') },
  refuses: ['FORBIDDEN'],
});

export const listSessions = defineRoute({
  method: 'GET',
  path: '/session/list',
  family,
  summary: 'List the sessions of the user, newest first',
  access: 'session',
  isPrivate: true,
  replies: {
    200: Type.Object({ data: Type.Array(ListedSession, { description: 'At most 50.' }) }),
  },
});

export const endListedSession = defineRoute({
  method: 'DELETE',
  path: '/session/list/{id}',
  family,
  summary: 'End one of the sessions of the user',
  access: 'session',
  isPrivate: true,
  params: Type.Object({ id: Type.String({ maxLength: 60, description: 'The id of the session.' }) }),
  replies: { 204: empty('The session has ended.') },
  refuses: ['NOT_FOUND'],
});
