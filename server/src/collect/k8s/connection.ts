import type { ClientTls } from '../../outbound/bulk-outbound.ts';

/** How requests to a cluster are authenticated. */
export interface K8sCredentials {
  readonly headers: Readonly<Record<string, string>>;
  /** A client certificate and its key. */
  readonly tls?: Pick<ClientTls, 'certificate' | 'key'>;
}

export interface CredentialSource {
  /** Asked before each request. Never those again that the cluster rejected, if others can be had. */
  credentials(rejected: K8sCredentials | undefined): Promise<K8sCredentials>;
  /** Whether others may be given after a rejection. */
  readonly isRenewable: boolean;
}

/** Where the API of a cluster is, and how it is reached. */
export interface K8sConnection {
  /** For people: the context of a kubeconfig. */
  readonly title: string;
  /** The address of the API, without a slash at its end. */
  readonly server: string;
  readonly tls: ClientTls;
  readonly source: CredentialSource;
  /** Names in the configuration, which some tools make from the identity of the cluster. */
  readonly names: readonly string[];
}
