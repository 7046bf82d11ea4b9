import { type ReactNode, useEffect, useRef } from 'react';
import styles from './page.module.css';

let isFirst = true;

interface PageProps {
  /** Names the screen and the account in the title of the window. */
  readonly title: string;
  readonly heading: ReactNode;
  readonly above?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A screen. Its heading gets the focus after a navigation, so that screen readers announce it. */
export function Page({ title, heading, above, actions, children }: PageProps) {
  const ref = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} - Vedette`;
  }, [title]);
  useEffect(() => {
    if (!isFirst) ref.current?.focus({ preventScroll: true });
    isFirst = false;
  }, []);
  return (
    <main id="main" className={styles.page}>
      {above}
      <header className={styles.header}>
        <h1 ref={ref} tabIndex={-1}>
          {heading}
        </h1>
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </main>
  );
}
