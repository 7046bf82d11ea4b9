import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ProblemNote, Skeleton } from '../../design/states.tsx';
import styles from './alert.module.css';

interface SectionProps<Data> {
  readonly title: string;
  readonly query: UseQueryResult<readonly Data[]>;
  readonly empty: ReactNode;
  readonly aside?: ReactNode;
  children(data: readonly Data[]): ReactNode;
}

/** A part of the page that loads and fails by itself. */
export function Section<Data>({ title, query, empty, aside, children }: SectionProps<Data>) {
  const { data, error, refetch } = query;
  return (
    <section className={styles.section}>
      <header>
        <h2>{title}</h2>
        {aside}
      </header>
      {error && (
        <ProblemNote what={`${title}: could not be loaded`} problem={error} onRetry={() => void refetch()} />
      )}
      {!data && !error && <Skeleton lines={3} label={`Loading: ${title}`} />}
      {data?.length === 0 && <p className={styles.none}>{empty}</p>}
      {data && data.length > 0 && children(data)}
    </section>
  );
}
