import type { Remediation } from '../../../detection/packs/policy.ts';
import type { Block } from './block.ts';

export function* remediationBlocks(remediation: Remediation | string): Generator<Block> {
  if (typeof remediation === 'string') {
    yield { kind: 'steps', label: 'Remediation', steps: stepsOf(remediation) };
    return;
  }
  yield { kind: 'steps', label: 'Remediation in the console', steps: stepsOf(remediation.console) };
  yield { kind: 'code', label: 'Remediation on the command line', text: remediation.cli };
  yield { kind: 'code', label: 'Remediation with Terraform', text: remediation.terraform };
}

/** Lines that are numbered `1.` and so on, or the whole text. A line without a number continues the one before. */
function stepsOf(text: string): string[] {
  const lines = text.trim().split('\n');
  if (!/^1\.\s/.test(lines[0] ?? '')) return [text.trim()];
  const steps: string[] = [];
  for (const line of lines) {
    const match = /^\d+\.\s+(.*)$/.exec(line);
    if (match) steps.push(match[1] as string);
    else steps.push(`${steps.pop() ?? ''} ${line.trim()}`.trim());
  }
  return steps;
}
