import { Type } from 'typebox';
import { DocumentFile } from '../../http/document-file.ts';
import { JsonString } from '../../http/reply.ts';
import { jsonType } from '../../http/response-headers.ts';
import { defineRoute } from '../../http/route.ts';
import { Refusal } from '../../platform/errors.ts';
import type { ComplianceReports } from '../../reports/compliance/compliance-reports.ts';
import { documentName } from '../../reports/compliance/document-name.ts';
import { type DocumentFormat, documentFormats } from '../../reports/compliance/document-request.ts';
import type { ReportCatalogue } from '../../reports/compliance/report-catalogue.ts';
import { readListedOnly } from './listed-only.ts';
import { ReportRecord } from './record.ts';
import { targetOf } from './target.ts';

const parameter = (description: string, maxLength = 500) =>
  Type.Optional(Type.String({ maxLength, description }));

const types: Readonly<Record<DocumentFormat, string>> = {
  json: jsonType,
  pdf: 'application/pdf',
  csv: 'text/csv; charset=utf-8',
  html: 'text/html; charset=utf-8',
};

const readReport = defineRoute({
  method: 'GET',
  path: '/api/v2/Reports',
  family: { name: 'Reports', description: 'Compliance reports about cloud accounts.' },
  summary: 'Read the compliance report of a cloud account',
  description:
    'Shows the latest evaluation against a framework. Give `reportType` or `reportName`. If nothing is stored about the ' +
    'cloud account, JSON is an empty list, and other formats answer 404.',
  access: 'read',
  query: Type.Object({
    primaryQueryId: parameter('AWS account, Azure tenant, Google Cloud organization or Kubernetes cluster.'),
    secondaryQueryId: parameter('Azure subscription or Google Cloud project.'),
    format: Type.Optional(Type.Enum([...documentFormats], { description: 'Format; the default is pdf.' })),
    reportType: parameter('Framework, such as AWS_CIS_14.'),
    reportName: parameter('Title of the framework, instead of reportType.'),
    severity: parameter('Lists recommendations of these severities only, separated by commas.'),
    status: parameter('Lists recommendations with these statuses only, separated by commas.'),
  }),
  cancellable: true,
  replies: {
    200: Type.Object({
      data: Type.Array(ReportRecord, { description: 'One report; none if nothing is known.' }),
      ok: Type.Boolean({ description: 'Always true.' }),
      message: Type.String({ maxLength: 20, description: 'Always SUCCESS.' }),
    }),
  },
  documents: ['application/pdf', 'text/csv', 'text/html'],
  refuses: ['NOT_FOUND', 'RESULT_TOO_LARGE'],
});

export interface ReportDeps {
  readonly catalogue: ReportCatalogue;
  readonly reports: ComplianceReports;
}

export const reportRoutes = ({ catalogue, reports }: ReportDeps) => [
  readReport.handle(async ({ scope, query, signal }) => {
    const { format = 'pdf' } = query;
    const listedOnly = readListedOnly(query);
    const plan = await catalogue.plan(query, { ownerId: scope.ownerId, listedOnly });
    const target = targetOf(plan.cloud, query);
    const written = await reports.write(plan, { ownerId: scope.ownerId, ...target }, format, signal);
    if (!written && format === 'json')
      return { status: 200, body: new JsonString('{"data":[],"ok":true,"message":"SUCCESS"}') };
    if (!written)
      throw new Refusal(
        'NOT_FOUND',
        `Nothing is stored about ${target.id}: check the id, or collect its resources first.`,
      );
    const { file: path, bytes: length, release, summary } = written;
    const day = new Date(summary.evaluatedAt).toISOString().slice(0, 10);
    return {
      status: 200,
      body: new DocumentFile({
        ...{ path, length, release, type: types[format] },
        name: format === 'json' ? undefined : documentName(plan.reportType, target.id, format, day),
      }),
    };
  }),
];
