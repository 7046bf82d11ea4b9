import { DeliveryError } from './channel.ts';

export interface ServiceAddress {
  /** The member of `data` with the host. */
  readonly member: string;
  /** As entered by users: optionally with a scheme, a port or a path. */
  readonly host: string;
  readonly scheme: 'http' | 'https';
  /** 0 if not given. */
  readonly port: number;
  readonly standardPort: number;
  /** Appended to the path of the host. */
  readonly path: string;
}

/** The URL of a self-hosted service. A separate port takes precedence over one in the host. */
export function serviceAddress({ member, host, scheme, port, standardPort, path }: ServiceAddress): string {
  const bare = host.trim().replace(/^https?:\/\//i, '');
  const address = `${scheme}://${bare}`;
  if (!URL.canParse(address))
    throw new DeliveryError(
      `data.${member} must be a host name or address such as logs.example.com: correct it.`,
      {
        isFinal: true,
      },
    );
  const url = new URL(address);
  const isPortNamed = /^[^/?#]*:\d+(?:[/?#]|$)/.test(bare);
  if (port !== 0) url.port = String(port);
  else if (!isPortNamed) url.port = String(standardPort);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}${path}`;
  return url.href;
}
