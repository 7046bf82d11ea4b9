import styles from './alert.module.css';

/** A value of a record, as text: nothing in it is interpreted. */
export function Value({ value }: { readonly value: unknown }) {
  if (value === null || value === undefined || value === '')
    return <span className={styles.nothing}>none</span>;
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object')) {
    return (
      <ul>
        {value.map((each, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: values may repeat, and never move.
          <li key={index}>
            <bdi>{String(each)}</bdi>
          </li>
        ))}
      </ul>
    );
  }
  if (typeof value === 'object') return <pre className={styles.json}>{JSON.stringify(value, null, 2)}</pre>;
  return <bdi>{String(value)}</bdi>;
}

export function Members({ record }: { readonly record: Readonly<Record<string, unknown>> }) {
  return (
    <dl className={styles.members}>
      {Object.entries(record).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <Value value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
