import { useNavigate, useSearch } from '@tanstack/react-router';
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { Button, IconButton } from '../../design/button.tsx';
import type { Severity } from '../../design/severity.tsx';
import { Empty, ProblemNote, Skeleton } from '../../design/states.tsx';
import { type TableHandle, VirtualTable } from '../../design/virtual-table.tsx';
import { useAccount } from '../../shell/account.ts';
import { announce } from '../../shell/announcer.tsx';
import { useKeys } from '../../shell/keys.ts';
import { Page } from '../../shell/page.tsx';
import { CloseDialog } from '../alert/close-dialog.tsx';
import { CommentDialog } from '../alert/comment-dialog.tsx';
import { type AlertRow, matching, sorted, useAlertList } from './alert-list.ts';
import styles from './alerts.module.css';
import { alertColumns } from './columns.tsx';
import { Facets } from './facets.tsx';
import { ListFooter } from './list-footer.tsx';
import { ListState } from './list-state.tsx';
import { type AlertsSearch, filtersOf } from './search.ts';
import { useSelection } from './selection.ts';

/** Which alert comes first? */
export function Alerts() {
  const account = useAccount();
  const search = useSearch({ from: '/$account/alerts' });
  const navigate = useNavigate({ from: '/$account/alerts' });
  const change = (next: AlertsSearch) => void navigate({ search: next, replace: true });
  const list = useAlertList(account.name, filtersOf(search));
  const q = useDeferredValue(search.q);
  const rows = useMemo(() => sorted(matching(list.rows ?? [], q), search.sort), [list.rows, q, search.sort]);
  const selection = useSelection(rows);
  const [dialog, setDialog] = useState<'comment' | 'close' | undefined>();
  // A ref, because keys can come faster than renderings.
  const current = useRef(-1);
  const table = useRef<TableHandle>(null);
  const filter = useRef<HTMLInputElement>(null);
  const canAct = !account.isReadOnly && selection.selected.length > 0;
  const move = (to: number) => {
    const index = Math.max(0, Math.min(rows.length - 1, to));
    current.current = index;
    table.current?.focusRow(index);
  };
  const toggleCurrent = () => {
    const row = rows[current.current];
    if (row) selection.toggle(row);
  };
  useKeys({
    j: () => move(current.current + 1),
    k: () => move(current.current - 1),
    x: toggleCurrent,
    c: () => canAct && setDialog('comment'),
    e: () => canAct && setDialog('close'),
    r: () => void list.refetch(),
    '/': () => filter.current?.focus(),
  });
  const isComplete = list.rows !== undefined && !list.isPlaceholderData && !list.hasNextPage;
  useEffect(() => {
    if (isComplete) announce(`${rows.length} alerts`);
  }, [isComplete, rows.length]);
  const counts = isComplete && search.severity === undefined ? countsOf(list.rows ?? []) : undefined;
  const columns = alertColumns({
    ...{ account: account.name, search, rowCount: rows.length, selection },
    onSort: (sort) => {
      const { sort: _, ...rest } = search;
      change(sort === undefined ? rest : { ...rest, sort });
    },
  });
  return (
    <Page
      title={`Alerts - ${account.name}`}
      heading="Alerts"
      actions={<ListState list={list} onRefresh={() => void list.refetch()} />}
    >
      <Facets search={search} counts={counts} filterRef={filter} onChange={change} />
      {selection.selected.length > 0 && (
        <div className={styles.bulk}>
          <strong>{selection.selected.length} selected</strong>
          <Button icon="messageSquare" disabled={!canAct} onClick={() => setDialog('comment')}>
            Comment
          </Button>
          <Button icon="circleCheck" disabled={!canAct} onClick={() => setDialog('close')}>
            {`Close ${selection.selected.length} ${selection.selected.length === 1 ? 'alert' : 'alerts'}`}
          </Button>
          <IconButton icon="x" label="Clear the selection" onClick={selection.clear} />
          {account.isReadOnly && <span>Your role in this account is read-only.</span>}
        </div>
      )}
      {list.error && (
        <ProblemNote
          what="The alerts could not be loaded"
          problem={list.error}
          onRetry={() => void list.refetch()}
        />
      )}
      {list.isPending && !list.error && <Skeleton lines={12} label="Loading the alerts" />}
      {rows.length > 0 && (
        <VirtualTable
          label="Alerts"
          handle={table}
          rows={rows}
          columns={columns}
          isDimmed={list.isPlaceholderData}
          keyOf={(row) => row.id}
          isSelected={selection.isSelected}
          onFocusRow={(index) => {
            current.current = index;
          }}
        />
      )}
      {rows.length === 0 && isComplete && <NoAlerts search={search} onChange={change} />}
      <ListFooter list={list} shown={rows.length} />
      <CommentDialog
        account={account.name}
        alerts={selection.selected}
        isOpen={dialog === 'comment'}
        onClose={() => setDialog(undefined)}
      />
      <CloseDialog
        account={account.name}
        alerts={selection.selected}
        isOpen={dialog === 'close'}
        onClose={() => setDialog(undefined)}
      />
    </Page>
  );
}

function countsOf(rows: readonly AlertRow[]): ReadonlyMap<Severity, number> {
  const counts = new Map<Severity, number>();
  for (const { severity } of rows) counts.set(severity, (counts.get(severity) ?? 0) + 1);
  return counts;
}

function NoAlerts({
  search,
  onChange,
}: {
  readonly search: AlertsSearch;
  onChange(search: AlertsSearch): void;
}) {
  if (search.q || search.severity) {
    const { q: _q, severity: _severity, ...rest } = search;
    return (
      <Empty
        icon="search"
        title="No alert matches"
        action={<Button onClick={() => onChange(rest)}>Clear the filter</Button>}
      >
        Other alerts of this range are hidden by the filter.
      </Empty>
    );
  }
  const { status = 'open', from = '-7d' } = search;
  const kind = status === 'all' ? 'alerts' : `${status} alerts`;
  return (
    <Empty
      icon="circleCheck"
      title={`No ${kind} in this range`}
      action={
        from !== '-90d' && <Button onClick={() => onChange({ ...search, from: '-90d' })}>Show 90 days</Button>
      }
    >
      Policies evaluate everything that agents and cloud accounts report, and raise alerts on violations.
    </Empty>
  );
}
