import { setTimeout } from 'node:timers/promises';

/** Resolves after the time, or earlier if the signal aborts. */
export async function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  await setTimeout(milliseconds, undefined, { signal }).catch(() => undefined);
}

/** The result of some work, or undefined as soon as the signal aborts. */
export async function unlessAborted<Result>(
  work: Promise<Result>,
  signal: AbortSignal,
): Promise<Result | undefined> {
  let leave = () => {};
  const aborted = new Promise<undefined>((resolve) => {
    leave = () => resolve(undefined);
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}
