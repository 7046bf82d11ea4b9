import { useEffect, useState } from 'react';
import { Button } from '../../design/button.tsx';
import type { useAlertList } from './alert-list.ts';
import styles from './alerts.module.css';

interface ListFooterProps {
  readonly list: Pick<
    ReturnType<typeof useAlertList>,
    'rows' | 'data' | 'isFetching' | 'isFetchingNextPage' | 'hasNextPage' | 'continues' | 'fetchNextPage'
  >;
  readonly shown: number;
}

const format = new Intl.NumberFormat('en');

/** How much of the result is loaded. */
export function ListFooter({ list, shown }: ListFooterProps) {
  const isSlow = useSlowness(list.isFetching);
  if (!list.rows) return isSlow ? <p className={styles.footer}>Still working…</p> : null;
  const loaded = list.rows.length;
  const total = list.data?.pages.at(-1)?.total ?? loaded;
  return (
    <p className={styles.footer}>
      {list.continues ? (
        <>Loading earlier days… {format.format(loaded)} so far</>
      ) : list.hasNextPage ? (
        <>
          First {format.format(loaded)} of {format.format(Math.max(total, loaded))} alerts
          <Button disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Load more
          </Button>
        </>
      ) : shown !== loaded ? (
        <>
          {format.format(shown)} of {format.format(loaded)} alerts
        </>
      ) : (
        loaded > 0 && (
          <>
            {format.format(loaded)} {loaded === 1 ? 'alert' : 'alerts'}
          </>
        )
      )}
      {isSlow && <span>Still working…</span>}
    </p>
  );
}

/** Whether something takes longer than five seconds. */
function useSlowness(isBusy: boolean): boolean {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    setSlow(false);
    if (!isBusy) return undefined;
    const timer = setTimeout(() => setSlow(true), 5_000);
    return () => clearTimeout(timer);
  }, [isBusy]);
  return isSlow;
}
