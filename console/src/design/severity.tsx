import styles from './severity.module.css';

export const severities = ['Critical', 'High', 'Medium', 'Low', 'Info'] as const;
export type Severity = (typeof severities)[number];

/** A shape for each severity, so that it does not depend on seeing colours. More severe means more ink. */
const shapes: Readonly<Record<Severity, React.ReactNode>> = {
  Critical: <path d="M5.2 1h5.600L15 5.200v5.600L10.800 15H5.200L1 10.800V5.200z" />,
  High: <path d="M8 1.500 15.500 14.500H.500z" />,
  Medium: <path d="M8 1 15 8l-7 7-7-7z" />,
  Low: <circle cx="8" cy="8" r="5.500" fill="none" stroke="currentColor" strokeWidth="2" />,
  Info: <circle cx="8" cy="8" r="3" />,
};

export function SeverityMark({
  severity,
  size = 14,
}: {
  readonly severity: Severity;
  readonly size?: number;
}) {
  return (
    <svg
      aria-hidden="true"
      className={`${styles.mark} ${styles[severity.toLowerCase()]}`}
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="currentColor"
    >
      {shapes[severity]}
    </svg>
  );
}

/** The shape and the word: always together. */
export function SeverityLabel({ severity, size }: { readonly severity: Severity; readonly size?: number }) {
  return (
    <span className={styles.label}>
      <SeverityMark severity={severity} {...(size !== undefined && { size })} />
      {severity}
    </span>
  );
}
