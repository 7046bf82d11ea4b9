/** Reads the binary form of SSH: integers and strings with their length before them. Undefined beyond the end. */
export class WireReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  integer(): number | undefined {
    if (this.#at + 4 > this.#bytes.length) return undefined;
    const value = this.#bytes.readUInt32BE(this.#at);
    this.#at += 4;
    return value;
  }

  string(): Buffer | undefined {
    const length = this.integer();
    if (length === undefined || this.#at + length > this.#bytes.length) return undefined;
    const value = this.#bytes.subarray(this.#at, this.#at + length);
    this.#at += length;
    return value;
  }
}
