export interface Destination {
  readonly url: string;
  readonly token: string;
  /** Certificate authority of a server with a self-signed certificate. */
  readonly authorityFile?: string;
  /** Whether bodies are compressed. */
  readonly compress: boolean;
  wait(milliseconds: number): Promise<unknown>;
}
