import { DeliveryError } from './channel.ts';

export interface ServiceAddress {
  /** The member of `data` that names the host. */
  readonly member: string;
  /** As people enter it: with or without a scheme, a port or a path. */
  readonly host: string;
  readonly scheme: 'http' | 'https';
  /** 0 where none was given. */
  readonly port: number;
  readonly standardPort: number;
  /** Below that of the host. */
  readonly path: string;
}

/** The address of a service that people run themselves. A port given on its own counts more than one of the host. */
export function serviceAddress({ member, host, scheme, port, standardPort, path }: ServiceAddress): string {
  const bare = host.trim().replace(/^https?:\/\//i, '');
  const address = `${scheme}://${bare}`;
  if (!URL.canParse(address))
    throw new DeliveryError(
      `data.${member} is no host: give a name or an address such as logs.example.com.`,
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
