import type { Machine } from './machine.ts';

/** Resolver of the virtual network. */
export const resolver = '10.20.0.2';

const commonNames = [
  'agent.collector.example',
  'monitoring.eu-central-1.amazonaws.com',
  'ssm.eu-central-1.amazonaws.com',
  'sts.eu-central-1.amazonaws.com',
] as const;
const mirrors = {
  ubuntu: ['archive.ubuntu.com', 'security.ubuntu.com'],
  amazon: ['al2023-repos-eu-central-1.s3.dualstack.eu-central-1.amazonaws.com'],
} as const;

/** DNS names of the external services of a host. */
export function namesResolvedBy({ role }: Machine): readonly string[] {
  return [...commonNames, ...mirrors[role.os], ...role.services];
}
