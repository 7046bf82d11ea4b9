import type { Catalogue, Column } from '@vedette/lql/catalogue/catalogue';
import { resultColumn } from '../../datasources/result-column.ts';
import { relationshipsFrom } from './record.ts';

/**
 * Every datasource, as the parts of the answer. Thousands have the same columns, whose text is there once: all of it would be
 * some megabytes that stay in memory.
 */
export function listingOf(catalogue: Catalogue): readonly Buffer[] {
  const schemas = new Map<readonly Column[], Buffer>();
  const schemaOf = (columns: readonly Column[]) => {
    const schema = schemas.get(columns) ?? Buffer.from(JSON.stringify(columns.map(resultColumn)));
    schemas.set(columns, schema);
    return schema;
  };
  const parts: Buffer[] = [];
  let text = '{"data":[';
  for (const name of [...catalogue.names()].sort()) {
    const datasource = catalogue.find(name);
    if (!datasource) continue;
    const { description, columns } = datasource;
    parts.push(
      Buffer.from(`${text}${JSON.stringify({ name, description }).slice(0, -1)},"resultSchema":`),
      schemaOf(columns),
    );
    text = `,"sourceRelationships":${JSON.stringify(relationshipsFrom(datasource))}},`;
  }
  return [...parts, Buffer.from(`${text.slice(0, -1)}]}`)];
}
