import type { ControlStore } from '../control/store.ts';

type Database = ControlStore['read'];

/** The same database, counting how often a table is selected from. */
export function countedReads(db: Database, table: string): { readonly read: Database; count(): number } {
  let reads = 0;
  const read = db.withPlugin({
    transformQuery: ({ node }) => {
      if (node.kind === 'SelectQueryNode' && JSON.stringify(node.from).includes(`"${table}"`)) reads++;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  return { read, count: () => reads };
}
