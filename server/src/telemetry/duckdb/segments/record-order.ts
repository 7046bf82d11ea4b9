import { plain } from '../sql/sql.ts';

/** The order of search results; rewritten segments are sorted by it too. */
export const order = plain('t desc, seq desc, n desc');
