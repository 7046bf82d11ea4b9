import type { RefObject } from 'react';
import { Segmented } from '../../design/segmented.tsx';
import { type Severity, SeverityMark, severities } from '../../design/severity.tsx';
import styles from './alerts.module.css';
import { type AlertsSearch, defaultRange, readSeverities, writeSeverities } from './search.ts';

const statuses = [
  { value: 'open', label: 'Open' },
  { value: 'closed', label: 'Closed' },
  { value: 'all', label: 'All' },
] as const;

const ranges = [
  { value: '-1h', label: '1 h', title: 'Raised in the last hour' },
  { value: '-24h', label: '24 h', title: 'Raised in the last 24 hours' },
  { value: '-7d', label: '7 d', title: 'Raised in the last 7 days' },
  { value: '-30d', label: '30 d', title: 'Raised in the last 30 days' },
  { value: '-90d', label: '90 d', title: 'Raised in the last 90 days' },
];

interface FacetsProps {
  readonly search: AlertsSearch;
  /** Loaded alerts by severity; undefined while a filter by severity hides the others. */
  readonly counts: ReadonlyMap<Severity, number> | undefined;
  readonly filterRef: RefObject<HTMLInputElement | null>;
  onChange(search: AlertsSearch): void;
}

/** The filters of the list. Each change is a change of the URL. */
export function Facets({ search, counts, filterRef, onChange }: FacetsProps) {
  const chosen = readSeverities(search.severity);
  const from = search.from ?? defaultRange;
  const options = ranges.some(({ value }) => value === from)
    ? ranges
    : [...ranges, { value: from, label: from.slice(1), title: `Raised in the last ${from.slice(1)}` }];
  const { severity: _, ...others } = search;
  const toggle = (severity: Severity) => {
    const next = chosen.includes(severity)
      ? chosen.filter((each) => each !== severity)
      : [...chosen, severity];
    const written = writeSeverities(next);
    onChange(written === undefined ? others : { ...others, severity: written });
  };
  return (
    <search className={styles.facets}>
      <fieldset className={styles.severities}>
        <legend className="visually-hidden">Severity</legend>
        {severities.map((severity) => (
          <button
            key={severity}
            type="button"
            className={styles.severity}
            aria-pressed={chosen.includes(severity)}
            onClick={() => toggle(severity)}
          >
            <SeverityMark severity={severity} />
            {severity}
            {counts && <span className={styles.count}>{counts.get(severity) ?? 0}</span>}
          </button>
        ))}
      </fieldset>
      <Segmented
        label="Status"
        value={search.status ?? 'open'}
        options={statuses}
        onChange={(status) => {
          const { status: _dropped, ...rest } = search;
          onChange(status === 'open' ? rest : { ...rest, status });
        }}
      />
      <Segmented
        label="Time range"
        value={from}
        options={options}
        onChange={(value) => {
          const { from: _dropped, ...rest } = search;
          onChange(value === defaultRange ? rest : { ...rest, from: value });
        }}
      />
      <input
        ref={filterRef}
        type="search"
        className={styles.filter}
        placeholder="Filter"
        aria-label="Filter the loaded alerts"
        value={search.q ?? ''}
        onChange={(event) => {
          const { q: _dropped, ...rest } = search;
          onChange(event.target.value ? { ...rest, q: event.target.value } : rest);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.blur();
        }}
      />
    </search>
  );
}
