/** What a cloud says of the host. */
export interface CloudInstance {
  readonly provider: 'AWS' | 'GCE' | 'Azure';
  readonly instanceId: string;
  readonly zone?: string;
  /** Its tags in the records. */
  readonly tags: Readonly<Record<string, string>>;
}

/** Asks the metadata service of a cloud. Undefined if this is another cloud, or none. */
export type ReadInstance = (request: MetadataRequest) => Promise<CloudInstance | undefined>;

export interface MetadataCall {
  readonly path: string;
  readonly method?: 'PUT';
  readonly headers?: Readonly<Record<string, string>>;
}

export interface MetadataResponse {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Undefined unless the service responded with a value. */
export type MetadataRequest = (call: MetadataCall) => Promise<MetadataResponse | undefined>;

/** Leaves out what is not known. */
export function known(
  values: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => Boolean(entry[1])),
  );
}

export function parsedObject(text: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return objectOf(value);
  } catch {
    return {};
  }
}

export function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

export function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, 1_000) : undefined;
}
