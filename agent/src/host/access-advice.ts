const capabilities = {
  files: 'CAP_DAC_READ_SEARCH',
  sockets: 'CAP_DAC_OVERRIDE',
  processes: 'CAP_SYS_PTRACE',
} as const;

export type Access = keyof typeof capabilities;

/** What the operator does if the agent may not read something of others. */
export function accessAdvice(to: Access, isRoot: boolean): string {
  const capability = capabilities[to];
  if (isRoot)
    return `The agent already runs as root: add the capability ${capability}, or allow it in SELinux or AppArmor.`;
  return to === 'processes'
    ? `Run the agent as root, and in a container with the capability ${capability}.`
    : 'Run the agent as root.';
}

/** Whether the agent runs as root, and so may read what belongs to others unless a capability is missing. */
export function isRoot(): boolean {
  return process.geteuid?.() === 0;
}
