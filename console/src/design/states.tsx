import type { ReactNode } from 'react';
import { Problem } from '../api/problem.ts';
import { Button } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';
import styles from './states.module.css';

interface EmptyProps {
  readonly icon?: IconName;
  readonly title: string;
  /** Why it is empty, and what would fill it. */
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}

export function Empty({ icon = 'inbox', title, children, action }: EmptyProps) {
  return (
    <div className={styles.empty}>
      <Icon name={icon} size={28} />
      <p className={styles.title}>{title}</p>
      {children && <p className={styles.why}>{children}</p>}
      {action}
    </div>
  );
}

interface ProblemProps {
  /** What failed, such as "The alerts could not be loaded". */
  readonly what: string;
  readonly problem: unknown;
  readonly onRetry?: () => void;
}

export function ProblemNote({ what, problem, onRetry }: ProblemProps) {
  const requestId = problem instanceof Problem ? problem.requestId : undefined;
  return (
    <div className={styles.problem} role="alert">
      <Icon name="triangleAlert" />
      <div className={styles.text}>
        <p className={styles.title}>{what}</p>
        <p>{problem instanceof Error ? problem.message : String(problem)}</p>
        {requestId && (
          <details>
            <summary>Details</summary>
            Request id <code>{requestId}</code>
          </details>
        )}
      </div>
      {onRetry && <Button onClick={onRetry}>Try again</Button>}
    </div>
  );
}

/** Grey lines in place of content that is loaded for the first time. */
export function Skeleton({ lines, label }: { readonly lines: number; readonly label: string }) {
  return (
    <div className={styles.skeleton}>
      <span className="visually-hidden" role="status">
        {label}
      </span>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are alike and never move.
        <span key={line} className={styles.line} />
      ))}
    </div>
  );
}
