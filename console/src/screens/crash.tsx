import { useRouter } from '@tanstack/react-router';
import { ProblemNote } from '../design/states.tsx';
import styles from './plain.module.css';

/** In place of a screen that failed. */
export function Crash({ error }: { readonly error: unknown }) {
  const router = useRouter();
  return (
    <main className={styles.plain}>
      <h1>This page could not be shown</h1>
      <ProblemNote what="The page failed" problem={error} onRetry={() => void router.invalidate()} />
    </main>
  );
}
