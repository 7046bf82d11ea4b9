import type { SnapshotSink } from '@vedette/server/collect/inventory/sink';
import type { LocalCloud } from '../collecting/local-clouds.ts';
import type { OptionValues } from '../command.ts';
import { OutputFile, standardOutput } from '../output-file.ts';
import type { Terminal } from '../progress.ts';
import type { CheckResult } from './check-result.ts';
import { CheckStore } from './check-store.ts';
import { Evaluation } from './evaluation.ts';
import { EvaluationProgress } from './evaluation-progress.ts';
import { exitStatusOf, type FailureThreshold } from './exit-status.ts';
import { Findings } from './findings.ts';
import { type FormatName, formats } from './formats/formats.ts';
import { totalsOf } from './formats/totals.ts';
import { type SelectionRequest, selectPolicies } from './policy-selection.ts';
import { readResources } from './resource-source.ts';

export interface CheckRequest extends FailureThreshold {
  readonly local: LocalCloud;
  readonly options: OptionValues;
  readonly selection: SelectionRequest;
  readonly from: readonly string[];
  readonly format: FormatName;
  /** A file, or `-`. */
  readonly output: string;
  /** Where progress is shown, and the totals if the output is a file. */
  readonly terminal: Terminal;
}

/** Collects, evaluates and writes the result. Returns the exit status. */
export async function check(request: CheckRequest): Promise<number> {
  const { output, format, terminal } = request;
  const store = await CheckStore.open();
  try {
    const result = await checkIn(store, request);
    const file = await OutputFile.open(output);
    try {
      for await (const chunk of formats[format](result)) await file.write(chunk);
      await file.finish();
    } finally {
      file.close();
    }
    if (output !== standardOutput) terminal.write(`${totalsOf(result)}\n`);
    return exitStatusOf(result, request);
  } finally {
    await store.close();
  }
}

async function checkIn(
  store: CheckStore,
  { local, options, selection, from, terminal }: CheckRequest,
): Promise<CheckResult> {
  const began = Date.now();
  const { policies, framework, kinds } = await selectPolicies(selection);
  const sink = new TimedSink(store.sink);
  const report = await readResources({ local, options, from, kinds, sink, terminal });
  // Files may come from a host whose clock is ahead.
  const evaluatedAt = Math.max(Date.now(), sink.lastEnd + 1);
  const evaluation = new Evaluation(store.telemetry, evaluatedAt);
  const progress = new EvaluationProgress(terminal, policies.length);
  const checked = await evaluation.run(policies, (done) => progress.show(done)).finally(() => progress.end());
  const findings = new Findings(store.telemetry, checked, { provider: local.cloud, at: evaluatedAt });
  return {
    ...{ cloud: local.cloud, began, evaluatedAt, framework, policies: checked },
    // A call may also return kinds that no policy reads.
    resources: report.resourcesOf(kinds),
    gaps: report.gaps.filter(({ kind }) => kinds.has(kind)),
    problems: report.problems,
    findings: (one) => findings.of(one),
  };
}

/** Notes when the last snapshot ended. */
class TimedSink implements SnapshotSink {
  readonly #sink: SnapshotSink;
  lastEnd = 0;

  constructor(sink: SnapshotSink) {
    this.#sink = sink;
  }

  part(...given: Parameters<SnapshotSink['part']>) {
    return this.#sink.part(...given);
  }

  finish(...[id, end]: Parameters<SnapshotSink['finish']>) {
    this.lastEnd = Math.max(this.lastEnd, id.started, end.ended);
    return this.#sink.finish(id, end);
  }
}
