/** A database file that contradicts its format. Thrown within the reader only: the caller makes a gap of it. */
export class DamagedDatabase extends Error {
  override readonly name = 'DamagedDatabase';
}
