import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { linkCode } from './front.ts';
import { SampleSite } from './sample.ts';
import { launch, Visitor, widths } from './visitor.ts';

let site: SampleSite;
let browser: Browser;
let [miner] = [0];
beforeAll(async () => {
  site = await SampleSite.start();
  const ids = await site.raiseSamples();
  miner = ids[0] as number;
  await site.addEvidence(miner, [
    {
      ...{ mid: 5654024165536062, pid: 4711, username: 'www-data', exePath: '/tmp/.x/xmrig' },
      ...{
        cmdline: '/tmp/.x/xmrig -o pool.example:3333 -u 48edfHu7V9Z',
        cpu: 97.4,
        parents: ['php-fpm', 'sh'],
      },
    },
  ]);
  const token = await site.service.token();
  for (const comment of [
    'Isolated the host, looking at the web logs.',
    'Entry was the upload form of the shop.',
  ])
    await site.service.request('POST', `/api/v2/Alerts/${miner}/comment`, { token, body: { comment } });
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  await site?.stop();
});

interface Screen {
  readonly name: string;
  readonly path: () => string;
  readonly isSignedIn?: boolean;
  readonly expected?: readonly number[];
  /** Brings the screen into the state to look at. */
  readonly show: (page: Page) => Promise<void>;
}

const heading = (name: string) => (page: Page) => page.getByRole('heading', { level: 1, name }).waitFor();

const screens: readonly Screen[] = [
  { name: 'sign-in', path: () => '/', isSignedIn: false, expected: [401], show: heading('Sign in') },
  {
    name: 'welcome',
    path: () => `/welcome#${linkCode}`,
    isSignedIn: false,
    show: (page) => page.getByLabel('New password').waitFor(),
  },
  {
    name: 'welcome-used-link',
    path: () => '/welcome#used',
    isSignedIn: false,
    expected: [401],
    show: (page) => page.getByText('The link did not work').waitFor(),
  },
  {
    name: 'alerts',
    path: () => '/local/alerts',
    show: async (page) => {
      await page.getByRole('link', { name: /^Crypto-miner/ }).waitFor();
      await page.keyboard.press('j');
      await page.keyboard.press('x');
    },
  },
  {
    name: 'alerts-empty',
    path: () => '/staging/alerts?status=all',
    show: (page) => page.getByText('No alerts in this range').waitFor(),
  },
  {
    name: 'alerts-close',
    path: () => '/local/alerts',
    show: async (page) => {
      await page.getByLabel('Select all loaded alerts').check();
      await page.getByRole('button', { name: 'Close 10 alerts' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'alert',
    path: () => `/local/alerts/${miner}`,
    show: async (page) => {
      await page.getByText('Entry was the upload form').waitFor();
      await page.getByText('48edfHu7V9Z').waitFor();
      await page.getByText('No alert rule matched').waitFor();
      await page.locator('summary').first().click();
    },
  },
  {
    name: 'alert-json',
    path: () => `/local/alerts/${miner}`,
    show: async (page) => {
      await page.getByText('JSON', { exact: true }).click();
      await page.getByText('"exePath"').waitFor();
    },
  },
  {
    name: 'alert-unknown',
    path: () => '/local/alerts/999999',
    expected: [404],
    show: (page) => page.getByText('has no alert 999999').waitFor(),
  },
  {
    name: 'keyboard-help',
    path: () => '/local/alerts',
    show: async (page) => {
      await page.getByRole('link', { name: /^Crypto-miner/ }).waitFor();
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    },
  },
  {
    name: 'account-menu',
    path: () => '/local/alerts',
    show: async (page) => {
      await page.getByRole('link', { name: /^Crypto-miner/ }).waitFor();
      await page.getByRole('button', { name: 'Account local, switch' }).click();
      await page.getByRole('menuitemradio', { name: 'audited' }).waitFor();
    },
  },
  {
    name: 'menu',
    path: () => '/staging/alerts',
    show: async (page) => {
      await page.getByText('No open alerts in this range').waitFor();
      // On wide screens there is no button: everything is visible.
      const button = page.getByRole('button', { name: 'Menu' });
      if (await button.isVisible()) await button.click();
      await page.getByRole('link', { name: 'API reference' }).waitFor();
    },
  },
  { name: 'unknown-account', path: () => '/nowhere/alerts', show: heading('Unknown account') },
  { name: 'not-found', path: () => '/a/b/c/d', show: heading('Page not found') },
];

const pictures = process.env.VEDETTE_PICTURES;
if (pictures) mkdirSync(pictures, { recursive: true });

describe.each(screens)('the screen $name', ({ name, path, isSignedIn = true, expected = [], show }) => {
  test.each(widths)('is accessible and without errors, light and dark, at %d px', async (width) => {
    site.front.isSignedIn = isSignedIn;
    const visitor = await Visitor.open(browser, { url: site.front.url, width, expected });
    try {
      await visitor.page.goto(site.front.url + path());
      await show(visitor.page);
      for (const colorScheme of ['light', 'dark'] as const) {
        await visitor.page.emulateMedia({ colorScheme });
        const file = join(pictures ?? '', `${name}-${colorScheme}-${width}.png`);
        if (pictures) await visitor.page.screenshot({ path: file, fullPage: true });
        expect(await visitor.examine(), colorScheme).toEqual([]);
      }
      expect(visitor.problems).toEqual([]);
      expect(await visitor.page.title()).toMatch(/ - Vedette$/);
    } finally {
      await visitor.close();
    }
  });
});
