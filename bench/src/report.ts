import type { Comparison, Side } from './comparison.ts';
import type { Timed } from './pairs.ts';
import type { Sample } from './sample.ts';

/** Milliseconds and megabytes. Targets are reported; only the ratio decides. */
const targets = { start: 2000, memory: 150 };

export function reportStarts(first: number, later: Sample): void {
  report('first start', `${first.toFixed(0)} ms to the first 200 on /healthz`);
  const median = `${later.median.toFixed(0)} ms, median of ${later.size} ${range(later, 0)}`;
  report('later starts', `${median}, ${target(later.median, targets.start, 'ms')}`);
}

export function reportMemory(megabytes: number, when: string): void {
  report('memory', `${megabytes.toFixed(0)} MB ${when}, ${target(megabytes, targets.memory, 'MB')}`);
}

export function reportComparison(path: string, { ours, baseline, ratio }: Comparison): void {
  report(path, `ratio ${ratio.median.toFixed(3)} ${range(ratio, 3)}, median of ${ratio.size} pairs`);
  reportSide('Vedette', ours);
  reportSide('bare Fastify', baseline);
}

/** `ours` and `raw` describe the timed operations. */
export function reportPairs(name: string, ours: string, raw: string, timed: Timed): void {
  process.stdout.write(`${name}\n`);
  report(
    '  ratio',
    `${timed.ratio.median.toFixed(2)} ${range(timed.ratio, 2)}, median of ${timed.ratio.size} pairs`,
  );
  report('  measured', `${timed.ours.median.toFixed(2)} ms ${range(timed.ours, 2)} ${ours}`);
  report('  against', `${timed.raw.median.toFixed(2)} ms ${range(timed.raw, 2)} ${raw}`);
}

export function reportReading(name: string, rows: number, timed: Timed): void {
  reportPairs(
    name,
    `for ${rows} records, through HTTP`,
    'for the same rows, read directly in this process',
    timed,
  );
}

function reportSide(name: string, { responses, rate, cost, share, generatorShare }: Side): void {
  report(
    `  ${name}`,
    `${rate.median.toFixed(0)} requests/s ${range(rate, 0)}, ${responses} responses checked`,
  );
  const server =
    cost.size > 0 ? `server ${percent(share)} of a core, ${cost.median.toFixed(1)} µs a request; ` : '';
  const generator = `generator ${percent(generatorShare)}${generatorShare.median > 0.9 ? ': GENERATOR-BOUND' : ''}`;
  report('', `${server}${generator}`);
}

export function range(sample: Sample, digits: number): string {
  return `(10–90 %: ${sample.quantile(0.1).toFixed(digits)}–${sample.quantile(0.9).toFixed(digits)})`;
}

function target(value: number, max: number, unit: string): string {
  return `target ${max} ${unit}${value > max ? ' MISSED' : ''}`;
}

function percent(sample: Sample): string {
  return `${(sample.median * 100).toFixed(0)} %`;
}

export function report(subject: string, result: string): void {
  process.stdout.write(`${subject.padEnd(26)}${result}\n`);
}
