import { type ReactNode, useEffect } from 'react';
import { Logo } from '../../design/logo.tsx';
import styles from './sign-in.module.css';

/** The frame of the screens before the sign-in. */
export function Entrance({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} - Vedette`;
  }, [title]);
  return (
    <main className={styles.entrance}>
      <div className={styles.brand}>
        <Logo size={32} />
        Vedette
      </div>
      <div className={styles.card}>
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  );
}
