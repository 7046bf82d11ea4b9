import { type Static, Type } from 'typebox';
import type { Tables } from '../../control/tables.ts';
import { coded, disabledOrEnabled } from '../../platform/coded.ts';
import { readRecord } from '../../search/record.ts';
import { datasetOf } from '../../search/record-fields.ts';
import { clouds } from './form.ts';

export type DefinitionRow = Tables['report_definitions'];
export type VersionRow = Tables['report_definition_versions'];

/** Clients match it to tell built-in definitions from custom ones. */
export const builtInAuthor = 'SYSTEM';

const string = (maxLength: number, description: string) => Type.String({ maxLength, description });
const strings = (description: string) => Type.Array(Type.String({ maxLength: 200 }), { description });

/** A client fails without `createdTime`, and without `props` if it shows the details. */
export const DefinitionRecord = Type.Object(
  {
    reportDefinitionGuid: string(100, 'Identifier used in paths.'),
    reportName: string(500, 'Name; requests for a report name it.'),
    displayName: string(500, 'Title of the report.'),
    reportType: string(100, 'Type of report: COMPLIANCE.'),
    subReportType: Type.Enum([...clouds], { description: 'The cloud that the report is about.' }),
    reportDefinition: Type.Object(
      {
        sections: Type.Array(
          Type.Object({
            category: string(500, 'Number or category of the section; may be empty.'),
            title: string(500, 'Title of the section.'),
            policies: strings('Identifiers of the policies, in the order of the report.'),
          }),
          { description: 'The sections in order.' },
        ),
        overrides: Type.Array(
          Type.Object({
            policy: string(200, 'Identifier of a policy.'),
            title: string(500, 'Title in this report.'),
          }),
          { description: 'Titles that the report shows instead of those of the policies.' },
        ),
      },
      { description: 'Content of the report.' },
    ),
    props: Type.Object(
      {
        engine: Type.Optional(string(100, 'As given; of built-in ones the language of the policies.')),
        releaseLabel: Type.Optional(string(200, 'As given; of built-in ones the version of the service.')),
        resourceGroups: Type.Optional(strings('Identifiers of resource groups.')),
        integrations: Type.Optional(strings('Identifiers of cloud accounts.')),
      },
      { description: 'Properties.' },
    ),
    alertChannels: strings('Identifiers of alert channels.'),
    version: Type.Integer({ minimum: 1, description: 'Increased by one with each change.' }),
    createdBy: string(320, `User who made this version; ${builtInAuthor} if built in.`),
    createdTime: Type.String({
      format: 'date-time',
      maxLength: 30,
      description: 'When this version was made.',
    }),
    enabled: coded(disabledOrEnabled, 'Whether it is enabled:'),
    reportNotificationType: Type.Optional(
      string(200, 'As given; of built-in ones the report type in requests for a report.'),
    ),
    distributionType: Type.Optional(string(100, 'As given.')),
    frequency: Type.Optional(string(100, 'As given.')),
    updateType: Type.Optional(
      Type.Enum(['Create', 'Update', 'Revert'], { description: 'How this version was made.' }),
    ),
  },
  { description: 'A report definition.' },
);
export type DefinitionRecord = Static<typeof DefinitionRecord>;

export const definitionsDataset = datasetOf(DefinitionRecord, {
  name: 'ReportDefinitions',
  description: 'Definitions of compliance reports: built-in frameworks, and reports over chosen policies.',
  table: 'report_definitions',
  key: 'id',
  columns: { reportDefinitionGuid: 'id', createdBy: 'updated_by', createdTime: 'updated_at' },
});

export function definitionRecord(row: DefinitionRow | VersionRow): DefinitionRecord {
  return readRecord(row as unknown as Record<string, unknown>, definitionsDataset) as DefinitionRecord;
}
