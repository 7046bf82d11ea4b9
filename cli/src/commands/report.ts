import { clientOf, keyOptions } from '../api/key-client.ts';
import type { Command } from '../command.ts';
import { OutputFile, standardOutput } from '../output-file.ts';
import { ReportDownload } from '../reporting/report-download.ts';
import { reportFormatOf, reportFormats, reportRequestOf } from '../reporting/report-request.ts';
import { scoreOf, summaryText } from '../reporting/report-summary.ts';
import { UsageError } from '../usage-error.ts';

const report: Command = {
  words: ['report'],
  positionals: ['[TYPE]'],
  options: {
    account: {
      type: 'string',
      value: 'ID',
      required: true,
      description: 'AWS account, Azure subscription, Google Cloud project or Kubernetes cluster',
    },
    output: {
      type: 'string',
      short: 'o',
      value: 'FILE',
      required: true,
      description: 'file, which is replaced if it exists; - writes to standard output',
    },
    parent: {
      type: 'string',
      value: 'ID',
      description: 'Azure tenant or Google Cloud organization of the account',
    },
    name: { type: 'string', value: 'TITLE', description: 'title of the framework, instead of its type' },
    format: {
      type: 'string',
      value: 'FORMAT',
      description: `${reportFormats.join(', ')}; default: by the extension of the file, else pdf`,
    },
    'vedette-account': {
      type: 'string',
      value: 'NAME',
      description: 'account of the service that has collected it; default: the first one',
    },
    ...keyOptions,
  },
  summary:
    'Writes the compliance report of a cloud account from its latest evaluation, and its score to standard error.',
  async run({ positionals: [type], options, json, context }) {
    const request = reportRequestOf(type, options);
    const format = reportFormatOf(options);
    const client = clientOf({ options, context }, (options['vedette-account'] as string | undefined) ?? '');
    try {
      const download = new ReportDownload(client, request);
      const summary = await download.summary();
      const content = await download.content(format);
      const file = await OutputFile.open(String(options.output));
      try {
        for await (const chunk of content) await file.write(chunk as Buffer);
        await file.finish();
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error;
        throw new UsageError('The connection was closed before the report was complete: try again.');
      } finally {
        file.close();
      }
      process.stderr.write(`${summaryText(summary)}\n`);
      const { reportTitle, reportTime } = summary;
      const data = { file: options.output, format, reportTitle, reportTime, score: scoreOf(summary) ?? null };
      return json && options.output !== standardOutput ? { data, text: '' } : { exitCode: 0 };
    } finally {
      client.close();
    }
  },
};

export const reportCommands = [report];
