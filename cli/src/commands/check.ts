import type { CheckRequest } from '../checking/check.ts';
import { type LocalCloud, localClouds, shareOption } from '../collecting/local-clouds.ts';
import type { Command, Invocation, Option, OptionValues } from '../command.ts';
import { k8sImportOptions } from '../importing/k8s-options.ts';
import { standardOutput } from '../output-file.ts';
import { UsageError } from '../usage-error.ts';

const severities = ['critical', 'high', 'medium', 'low', 'info'] as const;
const machineFormats = ['json', 'sarif', 'ocsf', 'junit'] as const;

const options = {
  framework: {
    type: 'string',
    value: 'TYPE',
    description: 'only policies of this framework, by its report type such as AWS_CIS_14',
  },
  severity: {
    type: 'string',
    value: 'SEVERITY',
    description:
      'only policies of at least this severity: critical, high, medium, low or info; default: info',
  },
  'fail-on': {
    type: 'string',
    value: 'SEVERITY',
    description: 'lowest severity of findings with exit status 2, or none; default: high',
  },
  strict: { type: 'boolean', description: 'exit status 3 if not everything could be assessed' },
  sarif: { type: 'boolean', description: 'SARIF 2.1.0, for code scanning' },
  ocsf: { type: 'boolean', description: 'OCSF Compliance Finding events' },
  junit: { type: 'boolean', description: 'JUnit XML' },
  output: {
    type: 'string',
    short: 'o',
    value: 'FILE',
    description: 'file; its extension .json, .sarif or .xml selects the format; default: standard output',
  },
  quiet: { type: 'boolean', description: 'no progress and no totals on standard error' },
  share: shareOption,
} as const satisfies Record<string, Option>;

const details = [
  'Exit status: 0 no findings at or above --fail-on; 1 wrong usage, no credentials or another error;',
  '2 findings at or above --fail-on; 3 with --strict, not everything could be assessed.',
];

export const checkCommands: readonly Command[] = localClouds.map((local) => ({
  words: ['check', local.cloud],
  positionals: [],
  options: { ...options, ...local.options, ...(local.cloud === 'k8s' && k8sImportOptions) },
  lists: {
    policy: { value: 'ID', description: 'only this policy: its id, or a part of its title' },
    from: {
      value: 'FILE',
      description:
        'read this file of collect --to, or an export file that import reads, instead of the cloud',
    },
  },
  summary: `Reads ${local.noun} with your own credentials and checks them against the built-in policies, without a server.`,
  details,
  async run(invocation) {
    const request = requestOf(local, invocation);
    // The engine and all policies are loaded for this only.
    const { check } = await import('../checking/check.ts');
    return { exitCode: await check(request) };
  },
}));

function requestOf(local: LocalCloud, { options, lists, json }: Invocation): CheckRequest {
  const { cloud } = local;
  const output = (options.output as string | undefined) ?? standardOutput;
  return {
    ...{ local, options, output, from: lists.from ?? [] },
    selection: {
      ...{ cloud, names: lists.policy ?? [], framework: options.framework as string | undefined },
      severity: choice('severity', options.severity, severities),
    },
    format: formatOf({ ...options, json }, output),
    failOn: choice('fail-on', options['fail-on'], [...severities, 'none']) ?? 'high',
    isStrict: options.strict === true,
    terminal: options.quiet ? { write() {} } : process.stderr,
  };
}

function choice<Word extends string>(
  option: string,
  value: OptionValues[string],
  words: readonly Word[],
): Word | undefined {
  if (value === undefined) return undefined;
  const word = words.find((one) => one === String(value).toLowerCase());
  if (word !== undefined) return word;
  throw new UsageError(`--${option} must be one of ${words.join(', ')}, not '${value}'.`);
}

function formatOf(options: OptionValues, output: string): CheckRequest['format'] {
  const [first, second] = machineFormats.filter((name) => options[name]);
  if (first && second) throw new UsageError(`Pass --${first} or --${second}, not both.`);
  if (first) return first;
  const [, extension = ''] = /\.(json|sarif|xml)(?:\.gz)?$/i.exec(output) ?? [];
  const byExtension = { json: 'json', sarif: 'sarif', xml: 'junit' } as const;
  return byExtension[extension.toLowerCase() as keyof typeof byExtension] ?? 'text';
}
