import { type ComponentProps, type ReactNode, useId } from 'react';
import styles from './field.module.css';

interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
}

export function TextField({ label, hint, error, ...rest }: FieldProps & ComponentProps<'input'>) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className={styles.control}
        aria-describedby={hint || error ? `${id}-note` : undefined}
        aria-invalid={error !== undefined}
        {...rest}
      />
      <FieldNote id={`${id}-note`} hint={hint} error={error} />
    </div>
  );
}

export function TextArea({ label, hint, error, ...rest }: FieldProps & ComponentProps<'textarea'>) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        className={styles.control}
        rows={3}
        aria-describedby={hint || error ? `${id}-note` : undefined}
        aria-invalid={error !== undefined}
        {...rest}
      />
      <FieldNote id={`${id}-note`} hint={hint} error={error} />
    </div>
  );
}

function FieldNote({ id, hint, error }: { id: string; hint: ReactNode; error: string | undefined }) {
  if (!hint && !error) return null;
  return (
    <p id={id} className={error ? styles.error : styles.hint} role={error ? 'alert' : undefined}>
      {error ?? hint}
    </p>
  );
}
