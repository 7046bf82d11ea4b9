import { Link } from '@tanstack/react-router';
import { Badge } from '../../design/badge.tsx';
import { SeverityLabel } from '../../design/severity.tsx';
import type { Column } from '../../design/virtual-table.tsx';
import { Time } from '../../time/time.tsx';
import type { AlertRow } from './alert-list.ts';
import styles from './alerts.module.css';
import type { AlertsSearch } from './search.ts';
import type { useSelection } from './selection.ts';

interface ColumnDeps {
  readonly account: string;
  readonly search: AlertsSearch;
  readonly rowCount: number;
  readonly selection: ReturnType<typeof useSelection>;
  onSort(sort: 'newest' | undefined): void;
}

export function alertColumns({
  account,
  search,
  rowCount,
  selection,
  onSort,
}: ColumnDeps): Column<AlertRow>[] {
  const { selected, isSelected, toggle, toggleAll } = selection;
  const isNewest = search.sort === 'newest';
  return [
    {
      key: 'select',
      className: styles.select,
      header: (
        <label className={styles.box}>
          <input
            type="checkbox"
            aria-label="Select all loaded alerts"
            checked={rowCount > 0 && selected.length === rowCount}
            ref={(box) => {
              if (box) box.indeterminate = selected.length > 0 && selected.length < rowCount;
            }}
            onChange={toggleAll}
          />
        </label>
      ),
      render: (row) => (
        <label className={styles.box}>
          <input
            type="checkbox"
            aria-label={`Select alert ${row.id}`}
            checked={isSelected(row)}
            onClick={(event) => toggle(row, event.shiftKey)}
            onChange={() => {}}
          />
        </label>
      ),
    },
    {
      key: 'severity',
      className: styles.severityColumn,
      sort: isNewest ? undefined : 'descending',
      header: (
        <SortButton isActive={!isNewest} onClick={() => onSort(undefined)}>
          Severity
        </SortButton>
      ),
      render: (row) => <SeverityLabel severity={row.severity} />,
    },
    {
      key: 'alert',
      className: styles.alertColumn,
      header: 'Alert',
      render: (row) => (
        <Link
          to="/$account/alerts/$alertId"
          params={{ account, alertId: String(row.id) }}
          className={styles.link ?? ''}
          title={row.subject}
        >
          <bdi>{row.subject}</bdi>
        </Link>
      ),
    },
    {
      key: 'source',
      className: styles.sourceColumn,
      header: 'Source',
      render: (row) => <bdi>{row.source}</bdi>,
    },
    ...(search.status === 'all'
      ? [
          {
            key: 'status',
            className: styles.statusColumn,
            header: 'Status',
            render: (row: AlertRow) => (
              <Badge tone={row.status === 'Open' ? 'warning' : 'good'}>{row.status}</Badge>
            ),
          },
        ]
      : []),
    {
      key: 'raised',
      className: styles.timeColumn,
      sort: isNewest ? 'descending' : undefined,
      header: (
        <SortButton isActive={isNewest} onClick={() => onSort('newest')}>
          Raised
        </SortButton>
      ),
      render: (row) => <Time at={row.startTime} />,
    },
  ];
}

function SortButton(props: { readonly isActive: boolean; onClick(): void; readonly children: string }) {
  return (
    <button type="button" className={styles.sort} onClick={props.onClick}>
      {props.children}
      <span aria-hidden="true">{props.isActive ? '↓' : ''}</span>
    </button>
  );
}
