import type { HostFiles } from '../host/host-files.ts';
import { valueOr } from '../reading.ts';

export interface Kernel {
  readonly kernel: string;
  readonly kernelRelease: string;
  readonly kernelVersion: string;
  readonly kernelArgs?: string;
}

export async function readKernel(files: HostFiles): Promise<Kernel> {
  const line = async (path: string) => valueOr(await files.text(path, 8 * 1024), '').trim();
  const args = await line('/proc/cmdline');
  return {
    kernel: (await line('/proc/sys/kernel/ostype')) || 'Linux',
    kernelRelease: await line('/proc/sys/kernel/osrelease'),
    kernelVersion: await line('/proc/sys/kernel/version'),
    ...(args !== '' && { kernelArgs: withoutSecrets(args) }),
  };
}

/** Passwords of network disks and consoles may be among the parameters. */
export function withoutSecrets(args: string): string {
  return args
    .replace(/([^\s=]*(?:passw|secret|token|key|psk)[^\s=]*=)("[^"]*"|\S+)/gi, '$1***')
    .replace(/(:\/\/[^\s/:@]*:)[^\s/@]+@/g, '$1***@');
}
