import { Preference } from './preference.ts';

/** `system` follows the setting of the operating system. */
export const theme = new Preference('theme', ['system', 'light', 'dark']);

/** Sets the colours of the page, now and whenever the setting changes. */
export function applyTheme(): void {
  const apply = () => {
    document.documentElement.dataset.theme = theme.value;
  };
  apply();
  theme.subscribe(apply);
}
