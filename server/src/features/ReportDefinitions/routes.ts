import { type Static, Type } from 'typebox';
import type { Scanner } from '../../control/scan/scanner.ts';
import { recordRoutes } from '../../families/record-routes.ts';
import { storedRecords } from '../../families/stored-records.ts';
import { defineRoute } from '../../http/route.ts';
import { Refusal } from '../../platform/errors.ts';
import { DefinitionChange, DefinitionCreation } from '../../reports/definitions/form.ts';
import { DefinitionRecord, definitionsDataset } from '../../reports/definitions/record.ts';
import type { ReportDefinitions } from '../../reports/definitions/report-definitions.ts';
import { maxVersions } from '../../reports/definitions/versions.ts';

const { name, description } = definitionsDataset;
const family = { name, description, record: DefinitionRecord };

const definitionFamily = {
  family,
  singular: 'a report definition',
  plural: 'report definitions',
  title: 'Report Definition',
  id: 'reportDefinitionGuid',
  creation: DefinitionCreation,
  descriptions: {
    create: 'The policies must exist, built-in or custom.',
    list: 'Built-in definitions come first: the frameworks, with the policies that this release has for them.',
    remove: 'A definition that a report distribution uses cannot be deleted, nor can a built-in one.',
  },
  mayRefuseRemoval: true,
} as const;

const item = {
  path: '/api/v2/ReportDefinitions/{reportDefinitionGuid}',
  family,
  params: Type.Object({
    reportDefinitionGuid: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Identifier (reportDefinitionGuid).',
    }),
  }),
} as const;

const getDefinition = defineRoute({
  ...item,
  method: 'GET',
  summary: 'Get a report definition by its id',
  description: `Each change makes a new version; the newest ${maxVersions} are kept.`,
  access: 'read',
  query: Type.Object({
    allVersions: Type.Optional(
      Type.Enum(['true', 'false'], {
        description: 'true: all versions that are kept, newest first, as an array.',
      }),
    ),
  }),
  replies: {
    200: Type.Object({
      data: Type.Union([DefinitionRecord, Type.Array(DefinitionRecord)], {
        description: 'The newest version; with allVersions an array.',
      }),
    }),
  },
  refuses: ['NOT_FOUND'],
});

/** A client sends an empty string with `revertTo`. */
const body = Type.Union([DefinitionChange, Type.Literal(''), Type.Null()]);

const changeDefinition = defineRoute({
  ...item,
  method: 'PATCH',
  summary: 'Update a report definition, or revert it to an earlier version',
  description:
    'Omitted members keep their values; an array that is given replaces the present one. Each change makes a new ' +
    'version, also a revert. Built-in definitions cannot be changed.',
  access: 'write',
  audit: 'Report Definition Updated',
  query: Type.Object({
    revertTo: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 2_147_483_647,
        description: 'The version whose content the new version gets. The body is then empty.',
      }),
    ),
  }),
  body,
  replies: { 200: Type.Object({ data: DefinitionRecord }) },
  refuses: ['NOT_FOUND', 'CONFLICT'],
});

export const reportDefinitionRoutes = ({
  definitions,
  scanner,
}: {
  definitions: ReportDefinitions;
  scanner: Scanner;
}) => [
  ...recordRoutes(definitionFamily, {
    create: ({ actor, scope }, body) => definitions.create(actor, scope, body),
    list: async (request) =>
      storedRecords(
        { scanner, dataset: definitionsDataset, builtIn: await definitions.builtIn.list() },
        request,
      ),
    remove: ({ actor, scope }, guid) => definitions.delete(actor, scope, guid),
  }),
  getDefinition.handle(async ({ scope, params: { reportDefinitionGuid: guid }, query: { allVersions } }) => ({
    status: 200,
    body: {
      data: await (allVersions === 'true' ? definitions.versions(scope, guid) : definitions.get(scope, guid)),
    },
  })),
  changeDefinition.handle(
    async ({ actor, scope, params: { reportDefinitionGuid: guid }, query: { revertTo }, body }) => {
      const change = changeOf(body, revertTo);
      const data =
        revertTo === undefined
          ? await definitions.change(actor, scope, guid, change)
          : await definitions.revert(actor, scope, guid, revertTo);
      return { status: 200, body: { data } };
    },
  ),
];

/** Rejects a body beside `revertTo`, which would be lost, and a request with neither. */
function changeOf(given: Static<typeof body> | undefined, revertTo: number | undefined): DefinitionChange {
  const change = given || undefined;
  if (revertTo === undefined && !change) {
    throw new Refusal('INVALID_INPUT', 'A JSON body is required: send the members to change, or revertTo.');
  }
  if (revertTo !== undefined && change && Object.keys(change).length > 0) {
    throw new Refusal('INVALID_INPUT', 'revertTo can not be combined with a body: send two requests.');
  }
  return change ?? {};
}
