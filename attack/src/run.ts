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

/** In CI other work may take most of the machine. */
const patience = 4;

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
// A connection that breaks under an attack is what attacks are about; a measurement tells what came of it.
process.on('unhandledRejection', (error) => process.stderr.write(`${String(error)}\n`));

const unknown = (values.only ?? []).filter((name) => !attacks.some((attack) => attack.name === name));
if (unknown.length > 0) {
  process.stderr.write(`No attack is named ${unknown.join(', ')}: see --list.\n`);
  process.exit(2);
}
if (values.list) {
  for (const { name, does } of attacks) process.stdout.write(`${name}: ${does}\n`);
  process.exit(0);
}
const chosen = attacks.filter(
  ({ name, isQuick }) => (values.only?.includes(name) ?? true) && (isQuick || !values.quick),
);
let passed = 0;
for (const attack of chosen) if (await passes(attack)) passed++;
const pass = passed === chosen.length;
process.stdout.write(`${JSON.stringify({ attacks: chosen.length, passed, pass })}\n`, () =>
  process.exit(pass ? 0 : 1),
);

/** Runs one attack on a server of its own and prints its line. */
async function passes(attack: Attack): Promise<boolean> {
  const bound = Object.fromEntries(Object.entries(attack.bounds).map(([name, one]) => [name, shown(one)]));
  const line = { attack: attack.name, bound };
  const impossible = attack.isImpossible();
  if (impossible) return print({ ...line, measured: null, skipped: impossible, pass: true });
  let target: Target | undefined;
  try {
    target = await Target.start(attack);
    const measured = await withinLimit(attack, target);
    const over = exceeded(attack.bounds, measured, values.quick);
    return print({ ...line, measured: rounded(measured), pass: over.length === 0, ...(over[0] && { over }) });
  } catch (error) {
    return print({ ...line, measured: null, failure: String(error).slice(0, 1_000), pass: false });
  } finally {
    await target?.stop();
  }
}

async function withinLimit(attack: Attack, target: Target): Promise<Measured> {
  let timer: NodeJS.Timeout | undefined;
  const seconds = attack.timeLimit * (values.quick ? patience : 1);
  const late = new Promise<never>((_, reject) => {
    const error = new Error(`The attack takes longer than ${seconds} s.`);
    timer = setTimeout(() => reject(error), seconds * 1_000);
  });
  return await Promise.race([attack.measure(target), late]).finally(() => clearTimeout(timer));
}

function print(line: { readonly pass: boolean; readonly [name: string]: unknown }): boolean {
  process.stdout.write(`${JSON.stringify(line)}\n`);
  return line.pass;
}

function shown({ atMost, unit }: Bound): string {
  return unit === 'count' ? `<= ${atMost}` : `<= ${atMost} ${unit}`;
}

function rounded(measured: Measured): Record<string, number | string> {
  // JSON has no infinity: what did not end within its limit is said in words.
  return Object.fromEntries(
    Object.entries(measured).map(([name, value]) => [
      name,
      Number.isFinite(value) ? Math.round(value * 100) / 100 : 'never',
    ]),
  );
}
