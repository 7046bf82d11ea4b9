import { existsSync } from 'node:fs';

/** The browser of the system: nothing is downloaded. */
export function findChromium(): string | undefined {
  const own = process.env.VEDETTE_TEST_CHROMIUM;
  const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
  return [...(own ? [own] : []), ...places].find((path) => existsSync(path));
}
