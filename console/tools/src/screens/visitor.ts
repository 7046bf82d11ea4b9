import axe from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { findChromium } from '../chromium.ts';

/** A usual window, and the narrowest that the console supports: 1280 px at a zoom of 400 %. */
export const widths = [1280, 320] as const;

/** A browser for all tests of a file. */
export function launch(): Promise<Browser> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('Chromium was not found: install it, for example with apt.');
  return chromium.launch({ executablePath });
}

interface VisitorOptions {
  readonly width?: (typeof widths)[number];
  readonly url: string;
  /** Responses that the test provokes; others of 400 and more are problems. */
  readonly expected?: readonly number[];
}

/** A page, and everything on it that must never happen. */
export class Visitor {
  readonly page: Page;
  readonly problems: string[] = [];
  /** Bytes of script that were transferred. */
  readonly scripts: Promise<number>[] = [];
  readonly #context: BrowserContext;

  private constructor(context: BrowserContext, page: Page, { url, expected = [] }: VisitorOptions) {
    this.#context = context;
    this.page = page;
    const isExpected = (status: number) => expected.includes(status);
    page.on('console', (message) => {
      const isProvoked = expected.some((status) =>
        message.text().includes(status === 0 ? 'net::ERR_' : `status of ${status}`),
      );
      if (['error', 'warning'].includes(message.type()) && !isProvoked)
        this.problems.push(`console: ${message.text()}`);
    });
    page.on('pageerror', (error) => this.problems.push(`error: ${error.message}`));
    page.on('requestfailed', (request) => {
      const reason = request.failure()?.errorText ?? '';
      // Navigation cancels requests of the screen that was left.
      if (reason !== 'net::ERR_ABORTED' && !isExpected(0))
        this.problems.push(`failed: ${request.url()} ${reason}`);
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(new URL(url).origin)) this.problems.push(`foreign: ${request.url()}`);
    });
    page.on('response', (response) => {
      if (response.status() >= 400 && !isExpected(response.status()))
        this.problems.push(`status ${response.status()}: ${response.url()}`);
      if (response.url().endsWith('.js'))
        this.scripts.push(
          response
            .request()
            .sizes()
            .then(({ responseBodySize }) => responseBodySize),
        );
    });
  }

  static async open(browser: Browser, options: VisitorOptions): Promise<Visitor> {
    const { width = 1280 } = options;
    const context = await browser.newContext({
      ...{ reducedMotion: 'reduce', timezoneId: 'Europe/Berlin', locale: 'en-GB' },
      viewport: { width, height: width === 320 ? 640 : 800 },
    });
    const page = await context.newPage();
    await page.clock.setFixedTime('2026-03-01T12:00:00.000Z');
    await page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) => {
        // biome-ignore lint/suspicious/noConsole: it is how the page reports to the test.
        console.error(`policy: ${violatedDirective} ${blockedURI} ${sample}`);
      });
    });
    return new Visitor(context, page, options);
  }

  /** Violations of WCAG 2.2 AA, and content that is wider than the window. */
  async examine(): Promise<string[]> {
    await this.page.evaluate(axe.source);
    const violations = await this.page.evaluate(async () => {
      const run = (globalThis as unknown as { axe: typeof axe }).axe.run;
      const { violations: found } = await run(document, {
        runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
      });
      return found.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`,
      );
    });
    const overflow = await this.page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    return [...violations, ...(overflow > 0 ? [`${overflow} px wider than the window`] : [])];
  }

  close(): Promise<void> {
    return this.#context.close();
  }
}
