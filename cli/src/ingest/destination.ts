import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { readKeyFile } from '@vedette/server/identity/bootstrap';
import { authorityFile } from '@vedette/server/platform/tls';
import type { CommandContext } from '../context.ts';
import { isLoopback, parseServerUrl } from '../server-agent.ts';
import { UsageError } from '../usage-error.ts';

export interface Destination {
  readonly url: string;
  readonly token: string;
  /** Certificate authority of a server with a self-signed certificate. */
  readonly authorityFile?: string;
  /** Whether bodies are compressed. */
  readonly compress: boolean;
  wait(milliseconds: number): Promise<unknown>;
}

/** The server at the URL of an option, or by default the one of the data directory. */
export async function destinationAt(
  { dataDirectory }: CommandContext,
  { option, value }: { readonly option: string; readonly value: unknown },
  token: () => string | Promise<string>,
): Promise<Destination> {
  const url = value ?? readKeyFile(join(dataDirectory, 'api-key.json'))?.url;
  if (!url)
    throw new UsageError(`${dataDirectory} has no api-key.json with the server URL: pass --${option}.`);
  const address = parseServerUrl(String(url), option);
  return {
    url: address,
    token: await token(),
    authorityFile: authorityFile(dataDirectory),
    // On the loopback interface compression takes longer than it saves.
    compress: !isLoopback(address),
    wait: setTimeout,
  };
}
