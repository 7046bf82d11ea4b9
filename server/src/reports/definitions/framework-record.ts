import { Type } from 'typebox';
import { builtInOwner } from '../../detection/built-in-owner.ts';
import { PolicyRecord } from '../../detection/policies/record.ts';
import { clouds } from './form.ts';
import { builtInAuthor, type DefinitionRecord } from './record.ts';

const string = (maxLength: number, description: string) => Type.String({ maxLength, description });
const instant = (description: string) => Type.String({ format: 'date-time', maxLength: 30, description });

export const FrameworkRecord = Type.Object(
  {
    name: string(500, 'Name; requests for a report name it.'),
    domains: Type.Array(Type.Enum([...clouds]), { description: 'The clouds that it is about.' }),
    sections: Type.Array(
      Type.Object({
        name: string(500, 'Title of the section.'),
        policies: Type.Array(PolicyRecord, { description: 'The policies, as the account has set them.' }),
      }),
      { description: 'The sections in order.' },
    ),
    owner: string(320, `User who created it; ${builtInOwner} if built in.`),
    revision: Type.Integer({ minimum: 1, description: 'Increased by one with each change.' }),
    lastUpdateTime: instant('When it was last changed.'),
    lastUpdateUser: string(320, `User who changed it last; ${builtInAuthor} if built in.`),
    createdTime: instant('When it was created.'),
    createdBy: string(320, `User who created it; ${builtInAuthor} if built in.`),
    guid: string(100, 'Identifier of the report definition.'),
  },
  { description: 'A framework: policies in sections.' },
);

/** A definition, and who created its first version. */
export interface FrameworkSource {
  readonly definition: DefinitionRecord;
  readonly createdTime: string;
  readonly createdBy: string;
}

/** The record around its sections, which are written separately because they are large. */
export function framed({ definition, createdTime, createdBy }: FrameworkSource): [string, string] {
  const { reportName, subReportType, version, reportDefinitionGuid: guid } = definition;
  const head = JSON.stringify({ name: reportName, domains: [subReportType] });
  const tail = JSON.stringify({
    owner: createdBy === builtInAuthor ? builtInOwner : createdBy,
    revision: version,
    lastUpdateTime: definition.createdTime,
    lastUpdateUser: definition.createdBy,
    ...{ createdTime, createdBy, guid },
  });
  return [`${head.slice(0, -1)},"sections":[`, `],${tail.slice(1)}`];
}
