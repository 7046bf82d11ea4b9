import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { sessionQuery, signInWithCode } from '../../api/session.ts';
import { ProblemNote, Skeleton } from '../../design/states.tsx';
import { Entrance } from './entrance.tsx';
import { PasswordForm } from './password-form.tsx';
import styles from './sign-in.module.css';

/** The code is valid once: it is read and removed from the address before anything is shown. */
function takeCode(): string {
  const code = location.hash.slice(1);
  if (code) history.replaceState(history.state, '', location.pathname);
  return code;
}

/** Opened by a sign-in link: the first sign-in, and the way back after a lost password. */
export function Welcome() {
  const [code] = useState(takeCode);
  const navigate = useNavigate();
  const queries = useQueryClient();
  const signIn = useMutation({
    mutationFn: async () => {
      await signInWithCode(code);
      return queries.fetchQuery({ ...sessionQuery, staleTime: 0 });
    },
  });
  const { mutate } = signIn;
  useEffect(() => {
    if (code) mutate();
  }, [code, mutate]);
  if (signIn.data) {
    return (
      <Entrance title="Welcome">
        <p>
          You are signed in as <strong>{signIn.data.user.email}</strong>. Choose a password for the next time.
        </p>
        <PasswordForm email={signIn.data.user.email} onDone={() => void navigate({ to: '/' })} />
        <Link to="/">Not now</Link>
      </Entrance>
    );
  }
  return (
    <Entrance title="Welcome">
      {code === '' && <p>This address is incomplete: the link has a code after the character #.</p>}
      {signIn.error && <ProblemNote what="The link did not work" problem={signIn.error} />}
      {code !== '' && !signIn.error ? (
        <Skeleton lines={3} label="Signing in" />
      ) : (
        <p className={styles.hint}>
          Links are valid once and for one hour. Run <code>npx vedette sign-in-link</code> on the server for a
          new one, or <Link to="/sign-in">sign in with a password</Link>.
        </p>
      )}
    </Entrance>
  );
}
