import { plain } from '../sql/sql.ts';

/** The order of answers, in which a rewritten segment holds its records too. */
export const order = plain('t desc, seq desc, n desc');
