import { base } from '../api/base.ts';
import styles from './plain.module.css';

/** For users of the organization without an account. */
export function NoAccount() {
  return (
    <main className={styles.plain}>
      <h1>No account</h1>
      <p>You are signed in, but have access to no account. Ask an administrator to add you to one.</p>
      <a href={`${base}/api/v2/docs`}>API reference</a>
    </main>
  );
}
