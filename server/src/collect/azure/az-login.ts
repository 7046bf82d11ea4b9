import { execFile } from 'node:child_process';
import type { Clock } from '../../platform/clock.ts';
import { boundedReason, CollectError } from '../inventory/problem.ts';
import type { AzureCredential } from './access-token.ts';

const timeout = 30_000;
const maxBytes = 1024 * 1024;

/** The token of the user who signed in with `az login`, in a tenant if one is given. */
export function azLoginCredential(
  environment: NodeJS.ProcessEnv,
  clock: Clock,
  tenant?: string,
): AzureCredential {
  return async (audience, signal) => {
    const args = ['account', 'get-access-token', '--output', 'json', '--resource', audience];
    const text = await output([...args, ...(tenant ? ['--tenant', tenant] : [])], environment, signal);
    const { accessToken, expires_on } = membersOf(text);
    if (typeof accessToken !== 'string')
      throw new CollectError({ status: 'denied', reason: 'az account get-access-token printed no token.' });
    // Older versions print only the local time.
    const expiresAt = Number(expires_on) * 1_000 || clock.now() + 600_000;
    return { value: accessToken, expiresAt };
  };
}

function output(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<string> {
  // On Windows az is a batch file, which only a shell can start; all arguments are ours or checked ids.
  const options = {
    env: environment,
    timeout,
    maxBuffer: maxBytes,
    signal,
    windowsHide: true,
    shell: process.platform === 'win32',
  };
  return new Promise((resolve, reject) => {
    execFile('az', args, options, (error, stdout, stderr) => {
      if (!error) return resolve(String(stdout));
      if (signal.aborted) return reject(signal.reason as Error);
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      const reason = isMissing ? 'az is not installed.' : `az account get-access-token failed: ${stderr}`;
      reject(new CollectError({ status: 'denied', reason: boundedReason(reason) }));
    });
  });
}

function membersOf(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
