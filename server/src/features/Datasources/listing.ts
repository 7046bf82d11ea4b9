import type { Catalogue, Column } from '@vedette/lql/catalogue/catalogue';
import { resultColumn } from '../../datasources/result-column.ts';
import { relationshipsFrom } from './record.ts';

/**
 * The response that lists every datasource, as chunks. Thousands of datasources share their columns, so each distinct schema
 * is serialized once; the complete response would keep several megabytes in memory.
 */
export function listingOf(catalogue: Catalogue): readonly Buffer[] {
  const schemas = new Map<readonly Column[], Buffer>();
  const schemaOf = (columns: readonly Column[]) => {
    const schema = schemas.get(columns) ?? Buffer.from(JSON.stringify(columns.map(resultColumn)));
    schemas.set(columns, schema);
    return schema;
  };
  const chunks: Buffer[] = [];
  let pending = '{"data":[';
  for (const name of [...catalogue.names()].sort()) {
    const datasource = catalogue.find(name);
    if (!datasource) continue;
    const { description, columns } = datasource;
    chunks.push(
      Buffer.from(`${pending}${JSON.stringify({ name, description }).slice(0, -1)},"resultSchema":`),
      schemaOf(columns),
    );
    pending = `,"sourceRelationships":${JSON.stringify(relationshipsFrom(datasource))}},`;
  }
  return [...chunks, Buffer.from(`${pending.slice(0, -1)}]}`)];
}
