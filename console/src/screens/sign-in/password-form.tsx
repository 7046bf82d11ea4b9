import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { choosePassword } from '../../api/session.ts';
import { Button } from '../../design/button.tsx';
import { TextField } from '../../design/field.tsx';
import { ProblemNote } from '../../design/states.tsx';
import styles from './sign-in.module.css';

const minLength = 12;

export function PasswordForm({ email, onDone }: { readonly email: string; onDone(): void }) {
  const [password, setPassword] = useState('');
  const [isTooShort, setTooShort] = useState(false);
  const choose = useMutation({ mutationFn: () => choosePassword(password), onSuccess: onDone });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTooShort(password.length < minLength);
    if (password.length >= minLength) choose.mutate();
  };
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      {choose.error && <ProblemNote what="The password was not saved" problem={choose.error} />}
      {/* Password managers store the password for this name. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <TextField
        label="New password"
        type="password"
        name="password"
        autoComplete="new-password"
        hint={`At least ${minLength} characters. Any characters are allowed, and pasting too.`}
        error={isTooShort ? `Use at least ${minLength} characters.` : undefined}
        required
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <Button kind="primary" type="submit" disabled={choose.isPending}>
        Save the password
      </Button>
    </form>
  );
}
