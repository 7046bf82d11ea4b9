import type { OptionValues } from '../command.ts';
import { standardOutput } from '../output-file.ts';
import { UsageError } from '../usage-error.ts';

export const reportFormats = ['pdf', 'html', 'csv', 'json'] as const;
export type ReportFormat = (typeof reportFormats)[number];

/** How a request names the framework and the cloud account. */
export interface ReportRequest {
  readonly reportType?: string;
  readonly reportName?: string;
  /** The AWS account, subscription, project or cluster. */
  readonly id: string;
  /** Tenant or organization. */
  readonly parent: string | undefined;
}

export function reportRequestOf(type: string | undefined, options: OptionValues): ReportRequest {
  const { name, account, parent } = options as Record<string, string | undefined>;
  if ((type === undefined) === (name === undefined))
    throw new UsageError(
      'Pass the report type, such as AWS_CIS_14, or the title of the framework with --name.',
    );
  return {
    ...(name === undefined ? { reportType: type as string } : { reportName: name }),
    ...{ id: String(account), parent },
  };
}

/** `--format`, else the extension of the file, else PDF. */
export function reportFormatOf({ format, output }: OptionValues): ReportFormat {
  const extension = output === standardOutput ? undefined : /\.(\w+)$/.exec(String(output))?.[1];
  const find = (word: unknown) => reportFormats.find((one) => one === String(word).toLowerCase());
  if (format === undefined) return find(extension) ?? 'pdf';
  const found = find(format);
  if (found) return found;
  throw new UsageError(`--format must be one of ${reportFormats.join(', ')}, not '${format}'.`);
}
