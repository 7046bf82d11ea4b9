import { type Static, Type } from 'typebox';
import type { Scanner } from '../../control/scan/scanner.ts';
import type { Exceptions } from '../../detection/exceptions/exceptions.ts';
import { ExceptionChange, ExceptionCreation } from '../../detection/exceptions/form.ts';
import { ExceptionRecord } from '../../detection/exceptions/record.ts';
import type { ReadRequest } from '../../families/record-family.ts';
import { recordRoutes } from '../../families/record-routes.ts';

const query = Type.Object({
  policyId: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'Identifier of the policy that the exceptions belong to.',
  }),
});

const exceptionFamily = {
  family: {
    name: 'Exceptions',
    description: 'Policy exceptions: resources that a policy no longer reports as violations.',
    record: ExceptionRecord,
  },
  singular: 'an exception to a policy',
  plural: 'exceptions to a policy',
  title: 'Policy Exception',
  id: 'exceptionId',
  query,
  creation: ExceptionCreation,
  change: ExceptionChange,
  // For an unknown policy; the other operations already declare it for the exception.
  refuses: { create: ['NOT_FOUND'], list: ['NOT_FOUND'], search: ['NOT_FOUND'] },
  descriptions: {
    create: "The constraints are checked against the policy's exceptionConfiguration.",
    change: 'Omitted members keep their values; null removes `expiresAt`.',
  },
} as const;

const setOf = ({ scope, query: { policyId } }: ReadRequest<Static<typeof query>>) => ({ scope, policyId });

export const exceptionRoutes = ({ exceptions, scanner }: { exceptions: Exceptions; scanner: Scanner }) =>
  recordRoutes(exceptionFamily, {
    create: (request, body) => exceptions.create(request.actor, setOf(request), body),
    list: (request) => exceptions.list(setOf(request)),
    searchable: { scanner, records: (request) => exceptions.list(setOf(request)) },
    get: (request, id) => exceptions.get(setOf(request), id),
    change: (request, id, body) => exceptions.change(request.actor, setOf(request), id, body),
    remove: (request, id) => exceptions.delete(request.actor, setOf(request), id),
  });
