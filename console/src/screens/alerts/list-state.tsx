import { IconButton } from '../../design/button.tsx';
import { usePreference } from '../../preferences/preference.ts';
import { zone } from '../../preferences/zone.ts';
import { clockTime } from '../../time/format.ts';
import type { useAlertList } from './alert-list.ts';
import styles from './alerts.module.css';

interface ListStateProps {
  readonly list: Pick<ReturnType<typeof useAlertList>, 'dataUpdatedAt' | 'isFetching'>;
  onRefresh(): void;
}

/** How old the list is. */
export function ListState({ list: { dataUpdatedAt, isFetching }, onRefresh }: ListStateProps) {
  const [chosen] = usePreference(zone);
  return (
    <>
      {dataUpdatedAt > 0 && <span className={styles.age}>As of {clockTime(dataUpdatedAt, chosen)}</span>}
      <IconButton icon="refreshCw" label="Refresh" disabled={isFetching} onClick={onRefresh} />
    </>
  );
}
