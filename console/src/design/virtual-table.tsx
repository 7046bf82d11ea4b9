import { useWindowVirtualizer } from '@tanstack/react-virtual';
import {
  type ReactNode,
  type RefObject,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import styles from './virtual-table.module.css';

export interface Column<Row> {
  readonly key: string;
  readonly header: ReactNode;
  readonly sort?: 'ascending' | 'descending' | undefined;
  /** Width and look of the cells, also as a card on narrow screens. */
  readonly className?: string | undefined;
  render(row: Row): ReactNode;
}

export interface TableHandle {
  /** Scrolls to a row, and focuses its first link. */
  focusRow(index: number): void;
}

interface VirtualTableProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly isDimmed?: boolean;
  readonly handle?: RefObject<TableHandle | null>;
  keyOf(row: Row): string | number;
  isSelected?(row: Row): boolean;
  onFocusRow?(index: number): void;
}

const [rowHeight, headerHeight] = [33, 36];

/** A native table that renders the visible rows only; the others are replaced by empty rows of their height. */
export function VirtualTable<Row>(props: VirtualTableProps<Row>) {
  const { label, rows, columns, isDimmed = false, handle, keyOf, isSelected, onFocusRow } = props;
  const table = useRef<HTMLTableElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const measure = () => setTop((table.current?.getBoundingClientRect().top ?? 0) + window.scrollY);
    measure();
    // What is above the table may change its height, for example when filters wrap.
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollMargin: top + headerHeight,
    scrollPaddingStart: headerHeight + 8,
    scrollPaddingEnd: 8,
    getItemKey: (index) => keyOf(rows[index] as Row),
  });
  const wanted = useRef(-1);
  useImperativeHandle(handle, () => ({
    focusRow(index) {
      wanted.current = index;
      virtualizer.scrollToIndex(index, { align: 'auto' });
      // When the row is rendered; by then another one may be wanted.
      const focus = () =>
        wanted.current === index &&
        table.current?.querySelector<HTMLElement>(`[data-index="${index}"] a`)?.focus();
      requestAnimationFrame(() => requestAnimationFrame(focus));
    },
  }));
  const items = virtualizer.getVirtualItems();
  const before = (items[0]?.start ?? 0) - (items[0] ? virtualizer.options.scrollMargin : 0);
  const after = items.length > 0 ? virtualizer.getTotalSize() - before - sizeOf(items) : 0;
  return (
    <table
      ref={table}
      className={`${styles.table} ${isDimmed ? styles.dimmed : ''}`}
      aria-label={label}
      aria-rowcount={rows.length + 1}
    >
      <thead>
        <tr aria-rowindex={1}>
          {columns.map((column) => (
            <th key={column.key} scope="col" className={column.className} aria-sort={column.sort}>
              {column.header}
            </th>
          ))}
        </tr>
      </thead>
      <Spacer height={before} columns={columns.length} />
      <tbody>
        {items.map(({ index, key }) => {
          const row = rows[index] as Row;
          return (
            <tr
              key={String(key)}
              ref={virtualizer.measureElement}
              className={styles.row}
              data-index={index}
              data-selected={isSelected?.(row) || undefined}
              aria-rowindex={index + 2}
              onFocus={() => onFocusRow?.(index)}
            >
              {columns.map((column) => (
                <td key={column.key} className={column.className}>
                  {column.render(row)}
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
      <Spacer height={after} columns={columns.length} />
    </table>
  );
}

function sizeOf(items: readonly { readonly size: number }[]): number {
  return items.reduce((sum, { size }) => sum + size, 0);
}

function Spacer({ height, columns }: { readonly height: number; readonly columns: number }) {
  if (height <= 0) return null;
  return (
    <tbody aria-hidden="true" className={styles.spacer}>
      <tr style={{ height }}>
        <td colSpan={columns} />
      </tr>
    </tbody>
  );
}
