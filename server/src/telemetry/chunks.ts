/** Takes a piece of an answer. What it returns is to be waited for before the next one. */
export type Put = (chunk: Uint8Array) => Promise<void> | undefined;

/** Bytes that may wait for who reads: most answers are made without waiting for the network. */
const mostWaiting = 8 * 1024 * 1024;

/** Chunks that are taken one after the other. */
export interface Chunks extends AsyncGenerator<Uint8Array> {
  /** Aborted when the work has failed, for those who do not take the next piece yet. */
  readonly failed: AbortSignal;
}

/**
 * What work puts out, piece by piece. It begins with the first piece that is asked for, goes on a little ahead of who
 * reads, and is told by its signal when nobody reads any more. All of it has ended when the iteration has.
 */
export function chunks(work: Work): Chunks {
  const failure = new AbortController();
  return Object.assign(taken(work, failure), { failed: failure.signal });
}

type Work = (put: Put, abandoned: AbortSignal) => Promise<void>;

async function* taken(work: Work, failure: AbortController): AsyncGenerator<Uint8Array> {
  const abandoned = new AbortController();
  const waiting: Uint8Array[] = [];
  let bytes = 0;
  let wakeReader = () => {};
  let wakeWriter = () => {};
  const put: Put = (chunk) => {
    waiting.push(chunk);
    bytes += chunk.length;
    wakeReader();
    if (bytes <= mostWaiting) return undefined;
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
      const chunk = waiting.shift();
      if (chunk) {
        bytes -= chunk.length;
        if (bytes <= mostWaiting) wakeWriter();
        yield chunk;
      } else if (outcome) return;
      else
        await new Promise<void>((resume) => {
          wakeReader = resume;
        });
    }
  } finally {
    abandoned.abort(new Error('Nobody reads the answer any more.'));
    await working;
  }
}
