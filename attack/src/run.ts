import { parseArgs } from 'node:util';
import { type Attack, type Bound, exceeded, type Measured } from './attack.ts';
import { attacks } from './attacks.ts';
import { Target } from './target.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    quick: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  },
});

/** In CI other jobs may use most of the host. */
const quickTimeFactor = 4;

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
// Broken connections are expected under attack; the measurements show the effect.
process.on('unhandledRejection', (error) => process.stderr.write(`${String(error)}\n`));

const unknown = (values.only ?? []).filter((name) => !attacks.some((attack) => attack.name === name));
if (unknown.length > 0) {
  process.stderr.write(`Unknown attack: ${unknown.join(', ')}. Run with --list to see all attacks.\n`);
  process.exit(2);
}
if (values.list) {
  for (const { name, description } of attacks) process.stdout.write(`${name}: ${description}\n`);
  process.exit(0);
}
const selected = attacks.filter(
  ({ name, isQuick }) => (values.only?.includes(name) ?? true) && (isQuick || !values.quick),
);
let passed = 0;
for (const attack of selected) if (await passes(attack)) passed++;
const pass = passed === selected.length;
process.stdout.write(`${JSON.stringify({ attacks: selected.length, passed, pass })}\n`, () =>
  process.exit(pass ? 0 : 1),
);

/** Runs one attack on its own server and prints its result. */
async function passes(attack: Attack): Promise<boolean> {
  const bound = Object.fromEntries(Object.entries(attack.bounds).map(([name, one]) => [name, format(one)]));
  const line = { attack: attack.name, bound };
  const skipped = attack.unavailableReason();
  if (skipped) return print({ ...line, measured: null, skipped, pass: true });
  let target: Target | undefined;
  try {
    target = await Target.start(attack);
    const measured = await measureWithTimeout(attack, target);
    const over = exceeded(attack.bounds, measured, values.quick);
    return print({ ...line, measured: rounded(measured), pass: over.length === 0, ...(over[0] && { over }) });
  } catch (error) {
    return print({ ...line, measured: null, failure: String(error).slice(0, 1_000), pass: false });
  } finally {
    await target?.stop();
  }
}

async function measureWithTimeout(attack: Attack, target: Target): Promise<Measured> {
  let timer: NodeJS.Timeout | undefined;
  const seconds = attack.timeLimit * (values.quick ? quickTimeFactor : 1);
  const timeout = new Promise<never>((_, reject) => {
    const error = new Error(`The attack exceeded its time limit of ${seconds} s.`);
    timer = setTimeout(() => reject(error), seconds * 1_000);
  });
  return await Promise.race([attack.measure(target), timeout]).finally(() => clearTimeout(timer));
}

function print(line: { readonly pass: boolean; readonly [name: string]: unknown }): boolean {
  process.stdout.write(`${JSON.stringify(line)}\n`);
  return line.pass;
}

function format({ max, unit }: Bound): string {
  return unit === 'count' ? `<= ${max}` : `<= ${max} ${unit}`;
}

function rounded(measured: Measured): Record<string, number | string> {
  // JSON has no infinity.
  return Object.fromEntries(
    Object.entries(measured).map(([name, value]) => [
      name,
      Number.isFinite(value) ? Math.round(value * 100) / 100 : 'never',
    ]),
  );
}
