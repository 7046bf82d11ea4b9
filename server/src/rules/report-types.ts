import { Type } from 'typebox';
import type { ReportTypes } from './kind.ts';

/** Reports about alerts, which are filtered by severity. */
const severityTypes = [
  'agentEvents',
  'awsCloudtrailEvents',
  'awsComplianceEvents',
  'azureActivityLogEvents',
  'azureComplianceEvents',
  'gcpAuditTrailEvents',
  'gcpComplianceEvents',
  'openShiftComplianceEvents',
  'platformEvents',
];

const groups: Readonly<Record<string, string>> = {
  'Compliance report of AWS':
    'awsCisS3 hipaa iso2700 nist800-53Rev4 nist800-171Rev2 pci soc awsSocRev2 awsCis14 awsCis14IsoIec270022022 ' +
    'awsCyberEssentials22 awsCsaCcm405 awsPciDss321 awsNist80053Rev5 awsSoc2 awsNist800171Rev2 awsNistCsf ' +
    'awsCmmc102 awsHipaa awsIso270012013',
  'Compliance report of Google Cloud':
    'gcpCis gcpCis12 gcpCis13 gcpHipaa gcpHipaaRev2 gcpIso27001 gcpK8s gcpPci gcpPciRev2 gcpSoc gcpSocRev2 ' +
    'gcpNistCsf gcpNist80053Rev4 gcpNist800171Rev2',
  'Compliance report of Azure':
    'azureCis azureCis131 azurePci azurePciRev2 azureSoc azureSocRev2 azureIso27001 azureHipaa azureNistCsf ' +
    'azureNist80053Rev5 azureNist800171Rev2',
  'Daily report of alerts; needs filters.severity': severityTypes.join(' '),
  'Daily report': 'openShiftCompliance k8sAuditLogEvents',
  'Weekly report': 'trendReport',
};

/** Known to clients, but this release has no such report. */
const withoutReport: ReadonlySet<string> = new Set([
  ...['openShiftCompliance', 'openShiftComplianceEvents'],
  ...['awsCis14IsoIec270022022', 'awsCyberEssentials22', 'awsCsaCcm405'],
]);

export const reportTypeNames = Object.values(groups).flatMap((names) => names.split(' '));

/** The set of frameworks changes, so unknown types are accepted, too. */
export const reportTypesForm = Type.Object(
  Object.fromEntries(
    Object.entries(groups).flatMap(([description, names]) =>
      names.split(' ').map((name) => [name, Type.Optional(Type.Boolean({ description: `${description}.` }))]),
    ),
  ),
  {
    additionalProperties: Type.Boolean(),
    maxProperties: 500,
    propertyNames: { maxLength: 200 },
    description: 'The reports to send: true for each of them.',
  },
);

/** The first requested report that requires a severity. */
export function typeThatNeedsSeverity(types: ReportTypes | undefined): string | undefined {
  return severityTypes.find((name) => types?.[name] === true);
}

/** The requested reports that do not exist. */
export function typesWithoutReport(types: ReportTypes | undefined): string[] {
  const requested = Object.entries(types ?? {}).flatMap(([name, isWanted]) => (isWanted ? [name] : []));
  return requested.filter((name) => withoutReport.has(name) || !reportTypeNames.includes(name));
}
