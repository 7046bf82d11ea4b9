import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { RecordCheck } from '../../../telemetry/record-check.ts';
import { JsonValues } from './json-values.ts';
import { linesOf } from './lines.ts';
import { LogFault } from './log-fault.ts';
import type { LogFormat } from './log-format.ts';
import { type LogFormatName, logFormats } from './log-formats.ts';

export interface LogRequest {
  readonly format: LogFormatName;
  /** The log, possibly compressed by gzip. */
  readonly bytes: Uint8Array;
  /** Values that earlier requests have read. */
  readonly skip: number;
  /** Server time. */
  readonly now: number;
  /** Whether the last value may be incomplete, because the log is still written. */
  readonly isGrowing: boolean;
}

/** A part of a log, ready to be stored. */
export interface LogPart {
  /** Records as lines, by the cloud account that they belong to; empty if the format has none. */
  readonly bodies: readonly { readonly cloudAccount: string; readonly lines: string }[];
  readonly records: number;
  /** Values or records that can not be stored, and why the first can not. */
  readonly refused: number;
  readonly refusal: string | undefined;
  /** Values read so far; undefined after the last. */
  readonly next: number | undefined;
  /** Bytes up to the end of the last complete value, of a log that is not compressed and can be read on from there. */
  readonly end: number;
}

export type LogReply = LogPart | { readonly fault: string };

/** Bytes of a log after decompression: several times what clouds write into one. */
const maxInflated = 256 * 1024 * 1024;
/** Characters of records in a part, unless a single value has more; bounds the memory of a part. */
const maxPart = 8 * 1024 * 1024;
/** Records in a part, as many as the intake accepts in a batch. */
const maxRecords = 50_000;
const gzipMagic = Buffer.from([0x1f, 0x8b]);
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** Reads the next part of a log. Whatever the log contains, memory is bounded, and so is time by the thread pool. */
export async function readLog(request: LogRequest): Promise<LogReply> {
  try {
    return await new LogReading(request).part();
  } catch (error) {
    if (error instanceof LogFault) return { fault: error.message };
    throw error;
  }
}

class LogReading {
  readonly #request: LogRequest;
  readonly #format: LogFormat;
  readonly #check: RecordCheck;
  readonly #lines = new Map<string, string[]>();
  #characters = 0;
  #records = 0;
  #refused = 0;
  #refusal: string | undefined;

  constructor(request: LogRequest) {
    this.#request = request;
    this.#format = logFormats[request.format];
    this.#check = new RecordCheck(this.#format.dataset, request.now);
  }

  async part(): Promise<LogPart> {
    return this.#format.isLines ? this.#linesPart() : this.#valuesPart();
  }

  /** Logs of lines are short and not compressed: they come in messages. */
  #linesPart(): LogPart {
    const { skip, bytes } = this.#request;
    let read = 0;
    for (const line of linesOf(Buffer.from(bytes), this.#format.maxLength)) {
      if (++read <= skip) continue;
      this.#add(line);
      if (this.#isFull()) return this.#result(read, 0);
    }
    return this.#result(undefined, 0);
  }

  async #valuesPart(): Promise<LogPart> {
    const { skip, isGrowing } = this.#request;
    let values: JsonValues | undefined;
    let read = 0;
    for await (const chunk of inflated(this.#request.bytes)) {
      values ??= this.#valuesOf(chunk);
      for (const value of values.push(chunk)) {
        if (++read <= skip) continue;
        this.#add(value);
        if (this.#isFull()) return this.#result(read, values.end);
      }
    }
    if (!isGrowing) (values ?? this.#valuesOf(Buffer.alloc(0))).finish();
    // An array is read again as a whole: the bytes that follow are not the begin of a log.
    return this.#result(undefined, values && !values.isArray ? values.end : 0);
  }

  #valuesOf(chunk: Buffer): JsonValues {
    const { maxLength } = this.#format;
    return new JsonValues({ array: this.#format.arrayIn(chunk.subarray(0, 200).toString()), maxLength });
  }

  #isFull(): boolean {
    // A value of a format with many records each adds at most a few thousand.
    return this.#characters >= maxPart || this.#records >= maxRecords / 2;
  }

  #add(value: string | undefined): void {
    try {
      if (value === undefined) throw new LogFault(`has more than ${this.#format.maxLength} bytes`);
      for (const record of this.#format.records(value)) this.#addRecord(record);
    } catch (error) {
      this.#refuse((error as Error).message);
    }
  }

  #addRecord(json: string): void {
    try {
      const record = this.#check.record(json, 0);
      const account = String((this.#format.accountMember && record[this.#format.accountMember]) ?? '');
      const lines = this.#lines.get(account) ?? [];
      // Line breaks between members; in a string they would be escaped.
      lines.push(json.replaceAll(/[\r\n]+/g, ' '));
      this.#lines.set(account, lines);
      this.#characters += json.length;
      this.#records++;
    } catch (error) {
      this.#refuse((error as Error).message);
    }
  }

  #refuse(reason: string): void {
    this.#refused++;
    this.#refusal ??= reason.slice(0, 300);
  }

  #result(next: number | undefined, end: number): LogPart {
    const bodies = [...this.#lines].map(([cloudAccount, lines]) => ({
      cloudAccount,
      lines: lines.join('\n'),
    }));
    const [records, refused, refusal] = [this.#records, this.#refused, this.#refusal];
    return { bodies, records, refused, refusal, next, end };
  }
}

async function* inflated(bytes: Uint8Array): AsyncGenerator<Buffer> {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!whole.subarray(0, 2).equals(gzipMagic)) {
    yield whole.subarray(0, 3).equals(byteOrderMark) ? whole.subarray(3) : whole;
    return;
  }
  let size = 0;
  try {
    for await (const chunk of Readable.from([whole]).pipe(createGunzip({ chunkSize: 256 * 1024 }))) {
      size += chunk.length;
      if (size > maxInflated)
        throw new LogFault(`is larger than ${maxInflated / 1024 / 1024} MB uncompressed`);
      yield chunk as Buffer;
    }
  } catch (error) {
    if (error instanceof LogFault) throw error;
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'Z_BUF_ERROR') throw new LogFault('is truncated: its compressed data is not complete');
    if (code.startsWith('Z_')) throw new LogFault('is not valid gzip');
    throw error;
  }
}
