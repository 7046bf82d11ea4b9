import { useMemo, useState } from 'react';
import type { AlertRow } from './alert-list.ts';

/** The selected alerts. Those that a filter hides are not part of it. */
export function useSelection(rows: readonly AlertRow[]) {
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set());
  const [anchor, setAnchor] = useState<number | undefined>();
  const selected = useMemo(() => rows.filter(({ id }) => ids.has(id)), [rows, ids]);
  return {
    selected,
    isSelected: (row: AlertRow) => ids.has(row.id),
    /** With Shift: all rows from the one that was toggled before. */
    toggle(row: AlertRow, isRange = false) {
      const next = new Set(ids);
      const [from, to] = [rows.findIndex(({ id }) => id === anchor), rows.indexOf(row)];
      const range = isRange && from >= 0 ? rows.slice(Math.min(from, to), Math.max(from, to) + 1) : [row];
      for (const { id } of range) {
        if (ids.has(row.id)) next.delete(id);
        else next.add(id);
      }
      setIds(next);
      setAnchor(row.id);
    },
    toggleAll: () => setIds(new Set(selected.length === rows.length ? [] : rows.map(({ id }) => id))),
    clear: () => setIds(new Set()),
  };
}
