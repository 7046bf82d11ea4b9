import { Preference } from './preference.ts';

/** The time zone in which times are shown. */
export const zone = new Preference('zone', ['local', 'utc']);
