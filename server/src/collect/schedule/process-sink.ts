import type { SnapshotEffect, SnapshotEnd, SnapshotId, SnapshotPart } from '../../telemetry/snapshot.ts';
import type { SnapshotSink } from '../inventory/sink.ts';
import type { FromCollector, ToCollector } from './collector-messages.ts';

type Send = (message: FromCollector) => void;

interface Waiting {
  resolve(effect: SnapshotEffect): void;
  reject(error: Error): void;
}

const nothing: SnapshotEffect = { opened: 0, closed: 0 };

/** In the collector process: passes snapshots to the server process and waits until they are durable. */
export class ProcessSink implements SnapshotSink {
  readonly #send: Send;
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;

  constructor(send: Send) {
    this.#send = send;
  }

  async part(id: SnapshotId, part: SnapshotPart): Promise<void> {
    await this.#ask((number) => ({ part, id, number }));
  }

  finish(id: SnapshotId, end: SnapshotEnd): Promise<SnapshotEffect> {
    return this.#ask((number) => ({ end, id, number }));
  }

  answered(message: Extract<ToCollector, { answer: number }>): void {
    const waiting = this.#waiting.get(message.answer);
    this.#waiting.delete(message.answer);
    if (message.error !== undefined) waiting?.reject(new Error(message.error));
    else waiting?.resolve(message.effect ?? nothing);
  }

  #ask(messageOf: (number: number) => FromCollector): Promise<SnapshotEffect> {
    const number = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject });
      this.#send(messageOf(number));
    });
  }
}
