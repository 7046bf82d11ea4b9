import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { CopyButton } from '../../design/copy-button.tsx';
import { Segmented } from '../../design/segmented.tsx';
import styles from './alert.module.css';
import { useScope } from './alert-data.ts';
import { Section } from './section.tsx';
import { Members } from './value.tsx';

const views = [
  { value: 'readable', label: 'Readable' },
  { value: 'raw', label: 'JSON' },
] as const;

const step = 20;

/** The records that violate the policy: as a list of members, or as they were received. */
export function Evidence({ account, alertId }: { readonly account: string; readonly alertId: string }) {
  const query = useScope(account, alertId, 'Events');
  const [view, setView] = useState<'readable' | 'raw'>('readable');
  const [shown, setShown] = useState(step);
  const hasRecords = (query.data?.length ?? 0) > 0;
  return (
    <Section
      title="Evidence"
      query={query}
      empty="No record of the violations is stored: it may be older than the retention of telemetry."
      aside={
        hasRecords && (
          <>
            <Segmented
              label="View of the evidence"
              value={view}
              options={views}
              onChange={(next) => setView(next)}
            />
            <CopyButton text={JSON.stringify(query.data, null, 2)} label="Copy the evidence as JSON" />
          </>
        )
      }
    >
      {(records) => (
        <>
          {view === 'raw' ? (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard.
            <pre className={styles.raw} tabIndex={0}>
              {JSON.stringify(records.slice(0, shown), null, 2)}
            </pre>
          ) : (
            <ol className={styles.records}>
              {records.slice(0, shown).map((record, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: records have no id, and never move.
                <li key={index} className={styles.record}>
                  <Members record={record} />
                </li>
              ))}
            </ol>
          )}
          {records.length > shown && (
            <p className={styles.none}>
              {shown} of {records.length} records
              <Button onClick={() => setShown(shown + step)}>Show more</Button>
            </p>
          )}
        </>
      )}
    </Section>
  );
}
