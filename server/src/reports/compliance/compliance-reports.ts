import { Refusal } from '../../platform/errors.ts';
import type { FindingsQuery } from '../../telemetry/posture-findings.ts';
import type { CloudAccountProvider } from '../../telemetry/resource-search.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import type { DocumentFiles, DocumentPlace } from './document-files.ts';
import type { DocumentFormat, WrittenDocument } from './document-request.ts';
import type { ReportDocuments } from './documents.ts';
import type { ReportPlan } from './plan.ts';
import type { ReportCloud } from './report.ts';
import { trendOffsets } from './trend.ts';

/** The cloud account that a report is about. */
export interface ReportTarget {
  readonly ownerId: string;
  /** AWS account, subscription, project or cluster. */
  readonly id: string;
  /** Tenant or organization; undefined if it is not known. */
  readonly parent?: string | undefined;
}

/** A report as a file, which the receiver releases. */
export interface ReportFile extends DocumentPlace, WrittenDocument {}

export interface ComplianceReportsDeps {
  readonly telemetry: Telemetry;
  readonly documents: ReportDocuments;
  readonly files: DocumentFiles;
  readonly now: () => number;
}

/** Results that a report lists; more are counted only. */
const maxListed = 250_000;

export const providers: Readonly<Record<ReportCloud, CloudAccountProvider>> = {
  AWS: 'aws',
  Azure: 'azure',
  GCP: 'gcp',
  K8s: 'k8s',
};

/** Writes reports about cloud accounts from the stored evaluations. */
export class ComplianceReports {
  readonly #deps: ComplianceReportsDeps;

  constructor(deps: ComplianceReportsDeps) {
    this.#deps = deps;
  }

  /** Undefined if nothing is stored about the cloud account. */
  async write(
    plan: ReportPlan,
    { ownerId, id, parent }: ReportTarget,
    format: DocumentFormat,
    abandoned?: AbortSignal,
  ): Promise<ReportFile | undefined> {
    const { telemetry, documents, files, now } = this.#deps;
    const place = files.reserve(ownerId, format);
    try {
      const query: FindingsQuery = {
        ...{ account: ownerId, provider: providers[plan.cloud], cloudAccount: id, parent },
        ...{ policies: [...plan.policies.keys()], at: now(), earlier: trendOffsets, maxListed },
      };
      const findings = await telemetry.evaluations.findings(query, abandoned);
      const source = findings === undefined ? undefined : { plan, findings };
      const written =
        source && (await documents.write(ownerId, source, { format, file: place.file }, abandoned));
      if (written) return { ...place, ...written };
    } catch (error) {
      place.release();
      throw refusalOf(error as NodeJS.ErrnoException);
    }
    place.release();
    return undefined;
  }
}

function refusalOf(error: NodeJS.ErrnoException): Error {
  if (error.code !== 'ENOSPC' && error.code !== 'EDQUOT') return error;
  return new Refusal('UNAVAILABLE', 'The disk is full: the report could not be written.');
}
