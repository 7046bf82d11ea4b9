export interface ImageName {
  readonly repo: string;
  readonly tag?: string;
  readonly digest?: string;
}

/** `registry.example:5000/shop/web:v1@sha256:…`; undefined for an id and for `<none>`. */
export function parseImageName(text: string): ImageName | undefined {
  const [named = '', digest] = text.split('@', 2);
  // A colon before the last slash precedes the port of the registry.
  const colon = named.indexOf(':', named.lastIndexOf('/') + 1);
  const repo = colon < 0 ? named : named.slice(0, colon);
  const tag = colon < 0 ? '' : named.slice(colon + 1);
  if (repo === '' || repo === '<none>' || isImageId(text)) return undefined;
  return {
    repo,
    ...(tag !== '' && tag !== '<none>' && { tag }),
    ...(digest && digest !== '<none>' && { digest }),
  };
}

function isImageId(text: string): boolean {
  return /^(?:sha256:)?[0-9a-f]{64}$/.test(text);
}

/** Some runtimes leave out the name of the hash. */
export function imageIdOf(text: string): string {
  return /^[0-9a-f]{64}$/.test(text) ? `sha256:${text}` : text;
}
