import type { ReactNode } from 'react';
import styles from './badge.module.css';

type Tone = 'neutral' | 'good' | 'warning' | 'bad';

/** A short state in words. */
export function Badge({
  tone = 'neutral',
  children,
}: {
  readonly tone?: Tone;
  readonly children: ReactNode;
}) {
  return <span className={`${styles.badge} ${styles[tone]}`}>{children}</span>;
}
