import { useQueryClient } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { sessionQuery } from '../../api/session.ts';
import { Entrance } from './entrance.tsx';
import styles from './sign-in.module.css';
import { SignInForm } from './sign-in-form.tsx';

export function SignIn() {
  const { to } = useSearch({ from: '/sign-in' });
  const router = useRouter();
  const queries = useQueryClient();
  const enter = async () => {
    await queries.fetchQuery({ ...sessionQuery, staleTime: 0 });
    router.history.push(to ?? '/');
  };
  return (
    <Entrance title="Sign in">
      <SignInForm onSignedIn={() => void enter()} />
      <p className={styles.hint}>
        No password yet, or lost it? Run <code>npx vedette sign-in-link</code> on the server and open the link
        that it prints.
      </p>
    </Entrance>
  );
}
