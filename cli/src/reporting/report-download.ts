import type { IncomingMessage } from 'node:http';
import { type ApiClient, errorMessage } from '../api/api-client.ts';
import { UsageError } from '../usage-error.ts';
import type { ReportFormat, ReportRequest } from './report-request.ts';
import type { ReportSummary } from './report-summary.ts';

const path = '/api/v2/Reports';
/** Few recommendations are both, and the counts are over all. */
const fewest = { severity: 'info', status: 'Suppressed' };

/** Asks the server for one report. */
export class ReportDownload {
  readonly #client: ApiClient;
  readonly #request: ReportRequest;
  /** How the server wants the cloud account to be named, once that is known. */
  #target: Readonly<Record<string, string>>;

  constructor(client: ApiClient, request: ReportRequest) {
    this.#client = client;
    this.#request = request;
    const { id, parent } = request;
    this.#target =
      parent === undefined ? { primaryQueryId: id } : { primaryQueryId: parent, secondaryQueryId: id };
  }

  /** The counts of the report. Refuses an unknown framework or cloud account. */
  async summary(): Promise<ReportSummary> {
    let response = await this.#read();
    // Subscriptions are named in another parameter than accounts; only the server knows what a report is about.
    if (response.status === 400 && errorMessage(response).startsWith('secondaryQueryId is required')) {
      this.#target = { secondaryQueryId: this.#request.id };
      response = await this.#read();
    }
    if (response.status !== 200) throw new UsageError(errorMessage(response));
    const { data } = JSON.parse(response.body) as { data: ReportSummary[] };
    const [report] = data;
    if (report) return report;
    throw new UsageError(
      `Nothing is stored about ${this.#request.id}: check --account and --parent, or collect its resources first.`,
    );
  }

  async content(format: ReportFormat): Promise<IncomingMessage> {
    const response = await this.#client.get(path, this.#query({ format }));
    if (response.statusCode === 200) return response;
    throw new UsageError(errorMessage(await this.#client.read(response)));
  }

  async #read() {
    return this.#client.read(await this.#client.get(path, this.#query({ format: 'json', ...fewest })));
  }

  #query(more: Readonly<Record<string, string>>): Record<string, string> {
    const { reportType, reportName } = this.#request;
    const name = reportType === undefined ? { reportName: reportName ?? '' } : { reportType };
    return { ...name, ...this.#target, ...more };
  }
}
