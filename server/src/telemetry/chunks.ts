/** Accepts a chunk of a response. The returned promise must be awaited before the next chunk. */
export type ChunkSink = (chunk: Uint8Array) => Promise<void> | undefined;

/** Bytes buffered for a slow reader: most responses are produced without waiting for the network. */
const highWaterMark = 8 * 1024 * 1024;

export interface Chunks extends AsyncGenerator<Uint8Array> {
  /** Aborted if the work fails while no chunk is being requested. */
  readonly failed: AbortSignal;
}

/**
 * The chunks that the work writes. It starts with the first requested chunk, runs slightly ahead of the reader, and
 * its signal aborts when the reader stops. The work has ended when the iteration has.
 */
export function chunks(work: Work): Chunks {
  const failure = new AbortController();
  return Object.assign(iterate(work, failure), { failed: failure.signal });
}

type Work = (put: ChunkSink, abandoned: AbortSignal) => Promise<void>;

async function* iterate(work: Work, failure: AbortController): AsyncGenerator<Uint8Array> {
  const abandoned = new AbortController();
  const buffered: Uint8Array[] = [];
  let bytes = 0;
  let wakeReader = () => {};
  let wakeWriter = () => {};
  const put: ChunkSink = (chunk) => {
    buffered.push(chunk);
    bytes += chunk.length;
    wakeReader();
    if (bytes <= highWaterMark) return undefined;
    return new Promise((resume) => {
      wakeWriter = resume;
    });
  };
  let outcome: { readonly error?: unknown } | undefined;
  const end = (ended: NonNullable<typeof outcome>) => {
    outcome = ended;
    wakeReader();
  };
  const working = work(put, abandoned.signal).then(
    () => end({}),
    (error: unknown) => {
      end({ error });
      failure.abort(error);
    },
  );
  try {
    for (;;) {
      if (outcome && 'error' in outcome) throw outcome.error;
      const chunk = buffered.shift();
      if (chunk) {
        bytes -= chunk.length;
        if (bytes <= highWaterMark) wakeWriter();
        yield chunk;
      } else if (outcome) return;
      else
        await new Promise<void>((resume) => {
          wakeReader = resume;
        });
    }
  } finally {
    abandoned.abort(new Error('The reader has stopped.'));
    await working;
  }
}
