import { type Static, Type } from 'typebox';
import type { Exceptions } from '../../detection/exceptions/exceptions.ts';
import { ExceptionChange, ExceptionCreation } from '../../detection/exceptions/form.ts';
import { ExceptionRecord } from '../../detection/exceptions/record.ts';
import type { ReadRequest } from '../../families/record-family.ts';
import { recordRoutes } from '../../families/record-routes.ts';

const query = Type.Object({
  policyId: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'The policy that the exceptions belong to.',
  }),
});

const declared = {
  family: {
    name: 'Exceptions',
    description: 'Exceptions to policies: what no longer counts as a violation.',
    record: ExceptionRecord,
  },
  singular: 'an exception to a policy',
  plural: 'exceptions to a policy',
  title: 'Policy Exception',
  id: 'exceptionId',
  query,
  creation: ExceptionCreation,
  change: ExceptionChange,
  descriptions: {
    create: "The constraints are checked against the policy's exceptionConfiguration.",
    change: 'Members that are left out stay; null takes expiresAt away.',
  },
} as const;

const setOf = ({ scope, query: { policyId } }: ReadRequest<Static<typeof query>>) => ({ scope, policyId });

export const exceptionRoutes = ({ exceptions }: { exceptions: Exceptions }) =>
  recordRoutes(declared, {
    create: (request, body) => exceptions.create(request.actor, setOf(request), body),
    list: (request) => exceptions.list(setOf(request)),
    searched: (request) => exceptions.list(setOf(request)),
    get: (request, id) => exceptions.get(setOf(request), id),
    change: (request, id, body) => exceptions.change(request.actor, setOf(request), id, body),
    remove: (request, id) => exceptions.delete(request.actor, setOf(request), id),
  });
