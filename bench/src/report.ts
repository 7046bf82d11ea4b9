import type { Comparison, Side } from './comparison.ts';
import type { Sample } from './sample.ts';

/** Milliseconds and megabytes. Aims are shown, only the ratio decides. */
const aims = { start: 2000, memory: 150 };

export function reportStarts(first: number, later: Sample): void {
  say('first start', `${first.toFixed(0)} ms to the first 200 on /healthz`);
  const median = `${later.median.toFixed(0)} ms, median of ${later.size} ${range(later, 0)}`;
  say('later starts', `${median}, ${aim(later.median, aims.start, 'ms')}`);
}

export function reportMemory(megabytes: number, moment: string): void {
  say('memory', `${megabytes.toFixed(0)} MB ${moment}, ${aim(megabytes, aims.memory, 'MB')}`);
}

export function reportComparison(path: string, { ours, baseline, ratio }: Comparison): void {
  say(path, `ratio ${ratio.median.toFixed(3)} ${range(ratio, 3)}, median of ${ratio.size} pairs`);
  reportSide('Vedette', ours);
  reportSide('bare Fastify', baseline);
}

export interface Reading {
  readonly ratio: Sample;
  /** Milliseconds, with the way through HTTP. */
  readonly ours: Sample;
  readonly raw: Sample;
}

export function reportReading(name: string, rows: number, { ratio, ours, raw }: Reading): void {
  process.stdout.write(`${name}\n`);
  say('  ratio', `${ratio.median.toFixed(2)} ${range(ratio, 2)}, median of ${ratio.size} pairs`);
  say('  Vedette', `${ours.median.toFixed(2)} ms ${range(ours, 2)} for ${rows} records, through HTTP`);
  say('  raw read', `${raw.median.toFixed(2)} ms ${range(raw, 2)}, the same rows in this process`);
}

function reportSide(name: string, { answers, rate, cost, share, generatorShare }: Side): void {
  say(`  ${name}`, `${rate.median.toFixed(0)} requests/s ${range(rate, 0)}, ${answers} answers checked`);
  const server =
    cost.size > 0 ? `server ${percent(share)} of a core, ${cost.median.toFixed(1)} µs a request; ` : '';
  const generator = `generator ${percent(generatorShare)}${generatorShare.median > 0.9 ? ': IT IS THE LIMIT' : ''}`;
  say('', `${server}${generator}`);
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

function say(subject: string, text: string): void {
  process.stdout.write(`${subject.padEnd(26)}${text}\n`);
}
