import { FairQueue } from '../../platform/fair-queue.ts';
import type { ComplianceReports } from '../compliance/compliance-reports.ts';
import { scoreOf } from '../compliance/counts.ts';
import { documentName } from '../compliance/document-name.ts';
import type { ReportCatalogue } from '../compliance/report-catalogue.ts';
import { counted, scoreText, subjectText, timeText } from '../compliance/wording.ts';
import { alertDigest } from './alert-digest.ts';
import { type ComposedReport, ReportUnavailable } from './composed-report.ts';
import type { ReportContent, ReportMessage } from './report-message.ts';
import { type TrendReportDeps, trendReport } from './trend-report.ts';

export interface ReportComposerDeps extends TrendReportDeps {
  readonly catalogue: ReportCatalogue;
  readonly reports: ComplianceReports;
}

/** What mail servers accept at least; a larger report is only announced. */
const maxAttachment = 15_000_000;

/** One slot is reserved for other accounts: an account has two documents at most and leaves the others to requests. */
const concurrency = 3;

/** Writes the reports that are sent. */
export class ReportComposer {
  readonly #deps: ReportComposerDeps;
  /** Reports wait as long as it takes: the sender bounds their number and renews their leases. */
  readonly #documents = new FairQueue({ noun: 'report', concurrency });

  constructor(deps: ReportComposerDeps) {
    this.#deps = deps;
  }

  compose(message: ReportMessage): Promise<ComposedReport> {
    const { content } = message;
    switch (content.kind) {
      case 'compliance':
        return this.#queued(message.ownerId, () => this.#compliance(message, content));
      case 'alerts':
        return alertDigest(this.#deps.store, message, content);
      case 'trend':
        return trendReport(this.#deps, message);
    }
  }

  /** Keeps the slot until the report is released, because its document exists until then. */
  #queued(account: string, compose: () => Promise<ComposedReport>): Promise<ComposedReport> {
    return new Promise((resolve, reject) => {
      const task = async () => {
        const report = await compose();
        await new Promise<void>((released) => {
          const release = () => {
            released();
            report.release();
          };
          resolve({ ...report, release });
        });
      };
      this.#documents.run(account, task).catch(reject);
    });
  }

  async #compliance(
    { ownerId }: ReportMessage,
    { report, cloudAccount, listedOnly }: Extract<ReportContent, { kind: 'compliance' }>,
  ): Promise<ComposedReport> {
    const { catalogue, reports } = this.#deps;
    const plan = await catalogue.plan(report, { ownerId, listedOnly });
    const written = await reports.write(plan, { ownerId, ...cloudAccount }, 'pdf');
    if (!written) throw new ReportUnavailable(`Nothing is stored about ${cloudAccount.id} any more.`, true);
    const { summary, file, bytes, release } = written;
    const { counts, subject, title, evaluatedAt } = summary;
    const score = scoreText(scoreOf(counts));
    const isAttached = bytes <= maxAttachment;
    const name = documentName(plan.reportType, cloudAccount.id, 'pdf');
    return {
      subject: `${title}: ${subjectText(subject)}`,
      paragraphs: [
        `${title} of ${subjectText(subject)}, evaluated ${timeText(evaluatedAt)}.`,
        `Score ${score}: ${counted(counts.compliant, 'recommendation')} compliant, ${counts.nonCompliant} non-compliant, ` +
          `${counts.suppressed} suppressed, ${counts.manual} manual, ${counts.notAssessed} not assessed.`,
        isAttached
          ? 'The report is attached.'
          : 'The report is too large for an e-mail: read it with GET /api/v2/Reports.',
      ],
      ...(isAttached && { attachment: { name, type: 'application/pdf', file } }),
      release,
    };
  }
}
