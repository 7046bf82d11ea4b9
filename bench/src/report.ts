import type { Comparison, Side } from './comparison.ts';
import type { Timed } from './pairs.ts';
import type { Sample } from './sample.ts';

/** Milliseconds and megabytes. Aims are shown, only the ratio decides. */
const aims = { start: 2000, memory: 150 };

export function reportStarts(first: number, later: Sample): void {
  report('first start', `${first.toFixed(0)} ms to the first 200 on /healthz`);
  const median = `${later.median.toFixed(0)} ms, median of ${later.size} ${range(later, 0)}`;
  report('later starts', `${median}, ${aim(later.median, aims.start, 'ms')}`);
}

export function reportMemory(megabytes: number, instant: string): void {
  report('memory', `${megabytes.toFixed(0)} MB ${instant}, ${aim(megabytes, aims.memory, 'MB')}`);
}

export function reportComparison(path: string, { ours, baseline, ratio }: Comparison): void {
  report(path, `ratio ${ratio.median.toFixed(3)} ${range(ratio, 3)}, median of ${ratio.size} pairs`);
  reportSide('Vedette', ours);
  reportSide('bare Fastify', baseline);
}

/** `ours` and `raw` say what was timed. */
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
  reportPairs(name, `for ${rows} records, through HTTP`, 'for the same rows, raw in this process', timed);
}

function reportSide(name: string, { answers, rate, cost, share, generatorShare }: Side): void {
  report(`  ${name}`, `${rate.median.toFixed(0)} requests/s ${range(rate, 0)}, ${answers} answers checked`);
  const server =
    cost.size > 0 ? `server ${percent(share)} of a core, ${cost.median.toFixed(1)} µs a request; ` : '';
  const generator = `generator ${percent(generatorShare)}${generatorShare.median > 0.9 ? ': IT IS THE LIMIT' : ''}`;
  report('', `${server}${generator}`);
}

function range(sample: Sample, digits: number): string {
  return `(10–90 %: ${sample.quantile(0.1).toFixed(digits)}–${sample.quantile(0.9).toFixed(digits)})`;
}

function aim(value: number, most: number, unit: string): string {
  return `aim ${most} ${unit}${value > most ? ' MISSED' : ''}`;
}

function percent(sample: Sample): string {
  return `${(sample.median * 100).toFixed(0)} %`;
}

export function report(subject: string, text: string): void {
  process.stdout.write(`${subject.padEnd(26)}${text}\n`);
}
