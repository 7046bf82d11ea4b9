import { exposition } from '../../platform/exposition.ts';
import type { Exports } from './exports.ts';

export async function exportMetrics(exports: Pick<Exports, 'counts'>): Promise<string> {
  return exposition({
    name: 'vedette_exports',
    type: 'gauge',
    help: 'Completed hours of datasets to export, by state.',
    values: { label: 'state', of: { ...(await exports.counts()) } },
  });
}
