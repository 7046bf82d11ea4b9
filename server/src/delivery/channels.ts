import { existsSync } from 'node:fs';
import type { IntegrationData } from '../integrations/declaration.ts';
import type { IntegrationRow } from '../integrations/record.ts';
import { type Channel, DeliveryError } from './channel.ts';

const known = new Map<string, Promise<Channel>>();

/** The sender for a channel type, loaded on first use to keep the start fast. */
export function channelOf(type: string): Promise<Channel> {
  const channel = known.get(type) ?? load(type);
  known.set(type, channel);
  return channel;
}

async function load(type: string): Promise<Channel> {
  const file = fileOf(type);
  if (!existsSync(file))
    throw new DeliveryError(`Channels of type ${type} do not send alerts.`, { isFinal: true });
  return ((await import(file.href)) as { default: Channel }).default;
}

/** Whether a channel sends closing messages. */
export async function followsClosing({
  type,
  data,
}: Pick<IntegrationRow, 'type' | 'data'>): Promise<boolean> {
  if (!existsSync(fileOf(type))) return false;
  const { followsClosing: follows = false } = await channelOf(type);
  return typeof follows === 'function' ? follows(JSON.parse(data) as IntegrationData) : follows;
}

function fileOf(type: string): URL {
  return new URL(`./channels/${encodeURIComponent(type)}/send.js`, import.meta.url);
}
