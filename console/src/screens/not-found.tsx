import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import styles from './plain.module.css';

export function NotFound() {
  useEffect(() => {
    document.title = 'Page not found - Vedette';
  }, []);
  return (
    <main className={styles.plain}>
      <h1>Page not found</h1>
      <p>No screen has this address.</p>
      <Link to="/">Go to the alerts</Link>
    </main>
  );
}
