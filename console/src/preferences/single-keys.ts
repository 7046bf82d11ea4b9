import { Preference } from './preference.ts';

/** Whether keys without Ctrl or Alt have an effect: speech input and tremor can press them unintentionally. */
export const singleKeys = new Preference('single-keys', ['on', 'off']);
