import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { firstLoadLimit } from '../first-load.ts';
import { password } from './front.ts';
import { hostile, SampleSite } from './sample.ts';
import { launch, Visitor } from './visitor.ts';

let site: SampleSite;
let browser: Browser;
let visitor: Visitor;
let ids: number[];
beforeAll(async () => {
  site = await SampleSite.start();
  ids = await site.raiseSamples();
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  await site?.stop();
});
afterEach(async () => {
  await visitor.close();
  site.front.broken.clear();
});

/** Opens a path as a signed-in user. */
async function open(path: string, expected: readonly number[] = []) {
  site.front.isSignedIn = true;
  visitor = await Visitor.open(browser, { url: site.front.url, expected });
  await visitor.page.goto(site.front.url + path);
  return visitor.page;
}

const statusOf = async (id: number) => {
  const reply = await site.service.request('GET', `/api/v2/Alerts/${id}?scope=Details`, {
    token: await site.service.token(),
  });
  return reply.body.data.status as string;
};

describe('the list of alerts', () => {
  test('is worked through by keyboard alone', async () => {
    const page = await open('/local/alerts');
    const row = (name: RegExp) => page.getByRole('row', { name });
    await row(/Crypto-miner/).waitFor();
    await page.keyboard.press('j');
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toMatch(/^Crypto-miner/);
    for (const key of ['j', 'j', 'j', 'k']) await page.keyboard.press(key);
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toMatch(/^System binary/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: /^System binary/ }).waitFor();
    await page.keyboard.press('c');
    await page.keyboard.type('A package update; compared with the mirror.');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('listitem').filter({ hasText: 'compared with the mirror' }).waitFor();
    await page.getByRole('heading', { level: 1 }).focus();
    await page.keyboard.press('e');
    const dialog = page.getByRole('dialog', { name: 'Close alert' });
    await dialog.getByRole('radio', { name: /Expected behavior/ }).press('Space');
    expect(await page.evaluate(() => document.getElementById('root')?.inert)).toBe(true);
    await dialog.getByRole('button', { name: 'Close alert' }).press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => statusOf(ids[2] as number)).toBe('Closed');
    await page.getByText('Closed', { exact: true }).waitFor();
    await page.keyboard.press('u');
    await row(/Crypto-miner/).waitFor();
    await row(/System binary/).waitFor({ state: 'detached' });
    expect(visitor.problems).toEqual([]);
  });

  test('closes several at once, with a result for each', async () => {
    const page = await open('/local/alerts', [409]);
    await page.getByLabel(`Select alert ${ids[3]}`).check();
    await page.getByLabel(`Select alert ${ids[4]}`).check();
    // Another user is faster.
    await site.service.request('POST', `/api/v2/Alerts/${ids[4]}/close`, {
      token: await site.service.token(),
      body: { reason: 1 },
    });
    await page.getByRole('button', { name: 'Close 2 alerts' }).click();
    await page.getByRole('radio', { name: /^Other/ }).check();
    const submit = page.getByRole('dialog').getByRole('button', { name: 'Close 2 alerts' });
    await submit.click();
    await page.getByText('Say why the alert is closed.').waitFor();
    await page.getByRole('textbox', { name: 'Comment' }).fill('Reviewed together.');
    await submit.click();
    await page.getByText('1 closed, 1 failed').first().waitFor();
    const results = page.getByRole('list', { name: 'Results' }).getByRole('listitem');
    expect(await results.allTextContents()).toEqual([
      expect.stringMatching(/^Root user.*already closed/),
      expect.stringMatching(/^Container escape.*closed$/),
    ]);
    expect(await visitor.examine()).toEqual([]);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('row', { name: /Container escape/ }).waitFor({ state: 'detached' });
    expect(visitor.problems).toEqual([]);
  });

  test('comments on several at once', async () => {
    const page = await open('/local/alerts');
    for (const id of [ids[5], ids[6]]) await page.getByLabel(`Select alert ${id}`).check();
    await page.getByRole('heading', { level: 1 }).focus();
    await page.keyboard.press('c');
    await page.getByRole('dialog').getByLabel('Comment').fill('Asked ana.');
    await page.getByRole('button', { name: 'Comment on 2 alerts' }).click();
    await page.getByRole('dialog').getByText('2 commented').waitFor();
    expect(visitor.problems).toEqual([]);
  });

  test('keeps its filters in the URL', async () => {
    const page = await open('/local/alerts?severity=CRITICAL,nonsense&from=-30d');
    await page.getByRole('row', { name: /Crypto-miner/ }).waitFor();
    await page.getByRole('row', { name: /Bucket is public/ }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Medium' }).click();
    await page.getByRole('row', { name: /Bucket is public/ }).waitFor();
    await page.getByText('All', { exact: true }).click();
    await page.keyboard.press('/');
    await page.getByLabel('Filter the loaded alerts').fill('miner');
    await page.getByText('24 h').click();
    await page.getByText('1 of', { exact: false }).waitFor();
    expect(new URL(page.url()).search).toBe('?severity=critical,medium&status=all&q=miner&from=-24h');
    await page.reload();
    await page.getByRole('row', { name: /Crypto-miner/ }).waitFor();
    await page.getByRole('link', { name: /Crypto-miner/ }).click();
    await page.getByRole('heading', { level: 1, name: /Crypto-miner/ }).waitFor();
    await page.goBack();
    await page.getByRole('row', { name: /Crypto-miner/ }).waitFor();
    expect(new URL(page.url()).search).toContain('q=miner');
    expect(visitor.problems).toEqual([]);
  });

  test('loads little script before it is shown', async () => {
    const page = await open('/local/alerts');
    await page.getByRole('row', { name: /Crypto-miner/ }).waitFor();
    const sizes = await Promise.all(visitor.scripts);
    const total = sizes.reduce((sum, size) => sum + size, 0);
    expect(total).toBeGreaterThan(100_000);
    expect(total).toBeLessThanOrEqual(firstLoadLimit);
  });

  test('says what failed, keeps the rest of the page, and recovers', async () => {
    site.front.broken.add('/api/v2/Alerts/search');
    const page = await open('/local/alerts', [0]);
    await page.getByText('The alerts could not be loaded').waitFor();
    await page.getByText('The server cannot be reached.', { exact: false }).waitFor();
    expect(await visitor.examine()).toEqual([]);
    site.front.broken.clear();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('row', { name: /Crypto-miner/ }).waitFor();
  });

  test('offers no change to a user who may only read', async () => {
    const page = await open('/audited/alerts/1', [404]);
    await page.getByText('The account audited has no alert 1').waitFor();
    expect(await page.getByRole('button', { name: /Close/ }).count()).toBe(0);
  });
});

test('settings of colours and time zone stay in the browser', async () => {
  const page = await open('/local/alerts');
  await page.getByRole('row', { name: /Crypto-miner/ }).waitFor();
  const title = () => page.locator('tbody time').first().getAttribute('title');
  expect(await title()).toBe('Sun, 1 Mar 2026, 12:56:00 CET');
  await page.getByText('UTC', { exact: true }).click();
  await page.getByTitle('Dark colours').click();
  await page.reload();
  await page.getByRole('row', { name: /Crypto-miner/ }).waitFor();
  expect(await title()).toBe('Sun, 1 Mar 2026, 11:56:00 UTC');
  const background = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  expect(background).toBe('rgb(16, 20, 26)');
});

test('after the session ended, a dialog asks for the password, and the request is repeated', async () => {
  const page = await open(`/local/alerts/${ids[0]}`, [401]);
  await page.getByLabel('Comment').fill('Typed before the session ended.');
  site.front.isSignedIn = false;
  await page.getByRole('button', { name: 'Add the comment' }).click();
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await dialog.getByLabel('Password').fill('wrong password');
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await dialog.getByText('You are not signed in').waitFor();
  expect(await visitor.examine()).toEqual([]);
  await dialog.getByLabel('Password').fill(password);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('listitem').filter({ hasText: 'Typed before the session ended.' }).waitFor();
  await dialog.waitFor({ state: 'detached' });
  expect(visitor.problems).toEqual([]);
});

test('the sign-in leads back to the page that was asked for, and the sign-out leaves nothing', async () => {
  visitor = await Visitor.open(browser, { url: site.front.url, expected: [401] });
  site.front.isSignedIn = false;
  const { page } = visitor;
  await page.goto(`${site.front.url}/local/alerts?status=all`);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.getByLabel('E-mail address').fill('ada@amberwood.example');
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
  await page.getByRole('row', { name: /Crypto-miner/ }).waitFor();
  expect(new URL(page.url()).search).toBe('?status=all');
  await page.getByRole('button', { name: /^Signed in as/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.goBack();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await page.getByText('Crypto-miner').count()).toBe(0);
  expect(visitor.problems).toEqual([]);
});

test('hostile text stays text and breaks no layout', async () => {
  const entities = Object.values(hostile).map((value) => ({
    kind: value.slice(0, 40),
    key: { value },
    props: { [value]: value },
  }));
  const id = await site.raise(1_000, {
    ...{ severity: 'Critical', alertName: hostile.script, subject: hostile.script + hostile.direction },
    ...{ description: hostile.long, remediation: hostile.markdown, source: hostile.script },
    listed: [{ key: 'x', name: hostile.script, entities, row: {} }],
  });
  await site.raise(2_000, { subject: hostile.long, severity: 'Critical' });
  await site.addEvidence(id, [
    { [hostile.long.slice(0, 100)]: hostile.script, direction: hostile.direction, big: hostile },
  ]);
  const page = await open('/local/alerts');
  await page.getByText(hostile.script, { exact: false }).first().waitFor();
  expect(await visitor.examine()).toEqual([]);
  for (const width of [1280, 320]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`${site.front.url}/local/alerts/${id}`);
    await page.getByText('direction', { exact: true }).waitFor();
    for (const summary of await page.locator('summary').all()) await summary.click();
    expect(await visitor.examine()).toEqual([]);
    expect(await page.evaluate(() => document.querySelectorAll('main script, main img').length)).toBe(0);
    expect(await page.title()).not.toBe('owned');
  }
  expect(visitor.problems).toEqual([]);
});

test('integers beyond 2^53 are shown with all their digits', async () => {
  site.front.isSignedIn = true;
  visitor = await Visitor.open(browser, { url: site.front.url });
  const { page } = visitor;
  const body = '{"data":[{"pidHash":9223372036854775806,"load":0.25,"port":8480}]}';
  await page.route('**/Alerts/*?scope=Events', (route) =>
    route.fulfill({ contentType: 'application/json', body }),
  );
  await page.goto(`${site.front.url}/local/alerts/${ids[0]}`);
  await page.getByText('9223372036854775806', { exact: true }).waitFor();
  await page.getByText('0.25', { exact: true }).waitFor();
  expect(visitor.problems).toEqual([]);
});

test('a long list is a table with few rows in the page', async () => {
  const many = await SampleSite.start();
  try {
    for (let count = 0; count < 250; count++)
      await many.raise(count * 1_000, { subject: `alert of bucket ${count}` });
    visitor = await Visitor.open(browser, { url: many.front.url });
    many.front.isSignedIn = true;
    const { page } = visitor;
    await page.goto(`${many.front.url}/local/alerts?sort=newest`);
    await page.getByRole('link', { name: 'alert of bucket 0', exact: true }).waitFor();
    const table = page.getByRole('table', { name: 'Alerts' });
    expect(await table.getAttribute('aria-rowcount')).toBe('251');
    expect(await page.locator('tbody tr').count()).toBeLessThan(80);
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await page.getByRole('link', { name: 'alert of bucket 249', exact: true }).waitFor();
    expect(await page.locator('tbody tr').count()).toBeLessThan(80);
    expect(visitor.problems).toEqual([]);
  } finally {
    await many.stop();
  }
});

test('works below a path of a proxy', async () => {
  const proxied = await SampleSite.start({ prefix: '/security' });
  try {
    await proxied.raiseSamples();
    visitor = await Visitor.open(browser, { url: proxied.front.url, expected: [401] });
    const { page } = visitor;
    await page.goto(`${proxied.front.url}/local/alerts?status=all`);
    await page.getByLabel('E-mail address').fill('ada@amberwood.example');
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: /Crypto-miner/ }).click();
    await page.getByRole('heading', { level: 1, name: /Crypto-miner/ }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/security\/local\/alerts\/\d+$/);
    expect(visitor.problems).toEqual([]);
  } finally {
    await proxied.stop();
  }
});
