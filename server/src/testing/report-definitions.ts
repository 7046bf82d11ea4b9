import { expect } from 'vitest';
import type { Answer, TestService } from './service.ts';

/** A section with policies of AWS. */
export const awsSection = {
  ...{ category: '1', title: 'Identity', policies: ['lacework-global-31', 'lacework-global-34'] },
};

/** Manages the report definitions of a service. */
export class DefinitionClient {
  readonly #service: TestService;
  readonly #token: string;

  private constructor(service: TestService, token: string) {
    this.#service = service;
    this.#token = token;
  }

  static async of(service: TestService): Promise<DefinitionClient> {
    return new DefinitionClient(service, await service.token(service.firstKey, 86_400));
  }

  request(method: string, path: string, body?: unknown): Promise<Answer> {
    const token = this.#token;
    return this.#service.request(method, `/api/v2/ReportDefinitions${path}`, { token, body });
  }

  /** The body of a request. */
  body(reportName: string, rest: object = {}): object {
    return {
      ...{ reportName, reportType: 'COMPLIANCE', subReportType: 'AWS' },
      reportDefinition: { sections: [awsSection] },
      ...rest,
    };
  }

  /** The record of a new definition. */
  async create(reportName: string, rest: object = {}): Promise<Answer['body']> {
    const created = await this.request('POST', '', this.body(reportName, rest));
    expect([created.status, created.body.message]).toEqual([201, undefined]);
    return created.body.data;
  }
}
