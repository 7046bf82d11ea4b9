import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { announce } from '../../shell/announcer.tsx';

/** An alert to act on. */
export interface Target {
  readonly id: number;
  readonly subject: string;
}

export interface ItemResult extends Target {
  /** Undefined if it succeeded. */
  readonly problem: unknown;
}

const concurrency = 4;

/** Does the same to several alerts, and keeps the result of each. */
export function useBulk(account: string, past: string) {
  const queries = useQueryClient();
  const [results, setResults] = useState<readonly ItemResult[]>([]);
  const [total, setTotal] = useState(0);
  const run = async (targets: readonly Target[], act: (id: number) => Promise<unknown>) => {
    setTotal(targets.length);
    setResults([]);
    const waiting = [...targets];
    const done: ItemResult[] = [];
    const work = async () => {
      for (let target = waiting.shift(); target; target = waiting.shift()) {
        const problem = await act(target.id).then(
          () => undefined,
          (error: unknown) => error,
        );
        done.push({ ...target, problem });
        setResults([...done]);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, work));
    const failed = done.filter(({ problem }) => problem !== undefined).length;
    announce(`${done.length - failed} ${past}${failed > 0 ? `, ${failed} failed` : ''}`);
    // Selected rows disappear from the list when it is loaded again: the results are kept here.
    await Promise.all([
      queries.invalidateQueries({ queryKey: ['alerts', account] }),
      queries.invalidateQueries({ queryKey: ['alert', account] }),
    ]);
    return failed === 0;
  };
  return { results, total, run, reset: () => setTotal(0) };
}
