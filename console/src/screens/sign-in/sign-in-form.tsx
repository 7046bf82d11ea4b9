import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { signInWithPassword } from '../../api/session.ts';
import { Button } from '../../design/button.tsx';
import { TextField } from '../../design/field.tsx';
import { ProblemNote } from '../../design/states.tsx';
import styles from './sign-in.module.css';

interface SignInFormProps {
  /** Of the user whose session ended. */
  readonly email?: string;
  onSignedIn(): void;
}

export function SignInForm({ email: known = '', onSignedIn }: SignInFormProps) {
  const [email, setEmail] = useState(known);
  const [password, setPassword] = useState('');
  const signIn = useMutation({
    mutationFn: () => signInWithPassword(email.trim(), password),
    onSuccess: onSignedIn,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    signIn.mutate();
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      {signIn.error && <ProblemNote what="You are not signed in" problem={signIn.error} />}
      <TextField
        label="E-mail address"
        type="email"
        name="email"
        autoComplete="username"
        required
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <TextField
        label="Password"
        type="password"
        name="password"
        autoComplete="current-password"
        required
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <Button kind="primary" type="submit" disabled={signIn.isPending}>
        {signIn.isPending ? 'Signing in…' : 'Sign in'}
      </Button>
    </form>
  );
}
