import type { ComponentProps } from 'react';
import styles from './button.module.css';
import { Icon, type IconName } from './icon.tsx';

interface ButtonLook {
  /** One action of a page or dialog is primary. */
  readonly kind?: 'primary' | 'plain' | 'quiet' | 'danger';
  readonly icon?: IconName;
}

export function buttonClass(kind: ButtonLook['kind'] = 'plain'): string {
  return `${styles.button} ${styles[kind]}`;
}

export function Button({ kind, icon, children, ...rest }: ComponentProps<'button'> & ButtonLook) {
  return (
    <button type="button" className={buttonClass(kind)} {...rest}>
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

/** A button that shows an icon only; its name is for screen readers and the tooltip. */
export function IconButton({
  icon,
  label,
  ...rest
}: Omit<ComponentProps<'button'>, 'children'> & { readonly icon: IconName; readonly label: string }) {
  return (
    <button
      type="button"
      className={`${styles.button} ${styles.quiet} ${styles.icon}`}
      aria-label={label}
      title={label}
      {...rest}
    >
      <Icon name={icon} />
    </button>
  );
}
