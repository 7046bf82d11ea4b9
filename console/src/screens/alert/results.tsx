import { Button } from '../../design/button.tsx';
import { DialogActions } from '../../design/dialog.tsx';
import { Icon } from '../../design/icon.tsx';
import type { ItemResult } from './bulk.ts';
import styles from './dialogs.module.css';

interface ResultsProps {
  readonly results: readonly ItemResult[];
  readonly total: number;
  /** Such as "closed". */
  readonly past: string;
  onClose(): void;
}

/** The result of each alert: the failed ones first, with their reason. */
export function Results({ results, total, past, onClose }: ResultsProps) {
  const failed = results.filter(({ problem }) => problem !== undefined);
  const succeeded = results.filter(({ problem }) => problem === undefined);
  return (
    <>
      <p role="status">
        {results.length < total
          ? `${results.length} of ${total}…`
          : `${succeeded.length} ${past}${failed.length > 0 ? `, ${failed.length} failed` : ''}`}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard. */}
      <ul className={styles.results} aria-label="Results" tabIndex={0}>
        {[...failed, ...succeeded].map(({ id, subject, problem }) => (
          <li key={id} className={problem ? styles.failed : styles.succeeded}>
            <Icon name={problem ? 'triangleAlert' : 'check'} />
            <span>
              <bdi>{subject}</bdi>
              <small>{problem ? (problem as Error).message : `Alert ${id} ${past}`}</small>
            </span>
          </li>
        ))}
      </ul>
      <DialogActions>
        <Button kind="primary" disabled={results.length < total} onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </>
  );
}
