import styles from './alert.module.css';
import type { Scopes } from './alert-data.ts';
import { Members } from './value.tsx';

/** Kinds in words: `CT_User` and `AwsResource` are names of the interface. */
function kindName(kind: string): string {
  return kind.replaceAll('_', ' ').replaceAll(/([a-z])([A-Z])/g, '$1 $2');
}

function titleOf(key: Readonly<Record<string, unknown>>, props: Readonly<Record<string, unknown>>): string {
  const value = props.hostname ?? props.cmdline ?? key.value ?? Object.values(key)[0];
  return typeof value === 'object' ? JSON.stringify(value) : String(value ?? '');
}

/** Who and what the alert is about. */
export function Entities({ details }: { readonly details: Scopes['Details'] }) {
  const { entityMap, violationCount, listedViolationCount } = details;
  const kinds = Object.entries(entityMap);
  return (
    <section className={styles.section}>
      <header>
        <h2>Entities</h2>
        {listedViolationCount < violationCount && (
          <span className={styles.none}>
            of the first {listedViolationCount} of {violationCount} violations
          </span>
        )}
      </header>
      {kinds.length === 0 && <p className={styles.none}>The violations name no entity.</p>}
      {kinds.map(([kind, entities]) => (
        <div key={kind} className={styles.kind}>
          <h3>{kindName(kind)}</h3>
          <ul>
            {entities.map(({ KEY, PROPS }) => (
              <li key={JSON.stringify(KEY)}>
                <details className={styles.entity}>
                  <summary>
                    <bdi>{titleOf(KEY, PROPS)}</bdi>
                  </summary>
                  <Members record={{ ...KEY, ...PROPS }} />
                </details>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}
