import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { qualityValues } from '../../http/accept-header.ts';
import type { Page, PageRequest, Pages } from '../../http/pages.ts';
import { BuiltFiles } from './files.ts';
import { unbuiltPage } from './unbuilt-page.ts';

/** Paths of programs: unknown ones below them get an error as JSON, never the page. */
const reserved = /^\/(?:api|ingest|healthz|readyz|metrics|session|assets)(?:\/|$)/;

const assetPath = /^\/assets\/([^/]+)$/;

/** Everything from the own origin; the nonce is for style elements that scripts insert. Trusted Types forbid markup from strings. */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

/** The console: one page for all paths outside the API, whose script shows the screen of the path. */
export class ConsolePages implements Pages {
  readonly #files: BuiltFiles | undefined;
  /** Split where the nonce goes. */
  readonly #page: readonly string[];

  /** `folder` has the output of the build; without it, the page says how to build it. `base` is the path behind a proxy. */
  constructor(folder: string, base: string) {
    const file = join(folder, 'index.html');
    const isBuilt = existsSync(file);
    this.#files = isBuilt ? new BuiltFiles(join(folder, 'assets')) : undefined;
    const page = isBuilt ? readFileSync(file, 'utf8') : unbuiltPage;
    // No <base> element: the policy forbids it, because an injected one would redirect every relative link.
    this.#page = page.replaceAll('"./', `"${base}/`).replaceAll('{{base}}', base).split('{{nonce}}');
  }

  answer(request: PageRequest): Page | undefined {
    const asset = assetPath.exec(request.path)?.[1];
    if (asset !== undefined) return this.#files?.answer(asset, request);
    if (reserved.test(request.path) || !acceptsHtml(request.accept)) return undefined;
    const nonce = randomBytes(18).toString('base64');
    const headers = {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': policy(nonce),
      'cross-origin-opener-policy': 'same-origin',
      vary: 'accept',
    };
    return { status: this.#files ? 200 : 503, headers, body: Buffer.from(this.#page.join(nonce)) };
  }
}

/** Browsers name the type. Programs, which accept anything, get the error of an unknown path. */
function acceptsHtml(accept: string | undefined): boolean {
  return (qualityValues(accept).get('text/html') ?? 0) > 0;
}
