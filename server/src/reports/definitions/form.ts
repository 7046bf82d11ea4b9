import { type Static, Type } from 'typebox';
import { coded, disabledOrEnabled } from '../../platform/coded.ts';
import { omissible } from '../../platform/omissible.ts';

/** Over all sections: the largest framework has fewer. */
export const maxPolicies = 2_000;
export const maxSections = 200;

export const clouds = ['AWS', 'Azure', 'GCP', 'K8s'] as const;

const string = (maxLength: number, description: string) => Type.String({ maxLength, description });
const guids = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 1_000, description });
export const reportName = Type.String({
  pattern: '\\S',
  minLength: 1,
  maxLength: 500,
  description: 'Name; unique among the custom and built-in definitions.',
});
const title = Type.String({ pattern: '\\S', minLength: 1, maxLength: 500, description: 'Title.' });
const policyId = Type.String({ minLength: 1, maxLength: 200 });

const Section = Type.Object({
  category: omissible(string(500, 'Number or category of the section; may be empty.')),
  title,
  policies: omissible(
    Type.Array(policyId, {
      maxItems: maxPolicies,
      uniqueItems: true,
      description: 'Identifiers of policies, built-in or custom, in the order of the report.',
    }),
  ),
});

const Override = Type.Object({
  policy: Type.String({ minLength: 1, maxLength: 200, description: 'Identifier of a policy.' }),
  title,
});

const sections = Type.Array(Section, {
  minItems: 1,
  maxItems: maxSections,
  description: `The sections, with at most ${maxPolicies} policies together.`,
});
const overrides = omissible(
  Type.Array(Override, {
    maxItems: maxPolicies,
    description: 'Titles that the report shows instead of those of the policies.',
  }),
);

/** Older clients send these members; distributions replace them. */
const optionalMembers = {
  displayName: omissible(string(500, 'Title of the report; the name if omitted or empty.')),
  reportNotificationType: omissible(string(200, 'Kept for older clients; it has no effect.')),
  props: omissible(
    Type.Object(
      {
        engine: omissible(string(100, 'Kept for older clients; it has no effect.')),
        releaseLabel: omissible(string(200, 'Kept for older clients; it has no effect.')),
        resourceGroups: omissible(guids('Identifiers of resource groups of the account.')),
        integrations: omissible(guids('Identifiers of cloud accounts.')),
      },
      { description: 'Properties; distributions decide what a report is about.' },
    ),
  ),
  distributionType: omissible(string(100, 'Kept for older clients; it has no effect.')),
  alertChannels: omissible(
    guids('Identifiers (intgGuid) of alert channels; distributions decide where a report is sent.'),
  ),
  frequency: omissible(string(100, 'Kept for older clients; distributions decide when a report is sent.')),
  enabled: omissible(coded(disabledOrEnabled, 'Whether it is enabled:')),
};

const reportType = Type.Enum(['COMPLIANCE'], { description: 'Type of report.' });
const subReportType = Type.Enum([...clouds], { description: 'The cloud that the report is about.' });

export const DefinitionCreation = Type.Object({
  reportName,
  reportType,
  subReportType,
  reportDefinition: Type.Object({ sections, overrides }, { description: 'Content of the report.' }),
  ...optionalMembers,
});
export type DefinitionCreation = Static<typeof DefinitionCreation>;

export const DefinitionChange = Type.Object({
  reportName: omissible(reportName),
  reportType: omissible(reportType),
  subReportType: omissible(
    Type.Enum([...clouds], { description: 'Can not change; accepted because clients send whole records.' }),
  ),
  reportDefinition: omissible(
    Type.Object(
      { sections: omissible(sections), overrides },
      { description: 'Content of the report; an array that is given replaces the present one.' },
    ),
  ),
  ...optionalMembers,
});
export type DefinitionChange = Static<typeof DefinitionChange>;
