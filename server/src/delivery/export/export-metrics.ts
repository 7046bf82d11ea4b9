import { exposition } from '../../platform/exposition.ts';
import type { Exports } from './exports.ts';

export async function exportMetrics(exports: Pick<Exports, 'counts'>): Promise<string> {
  return exposition({
    name: 'vedette_exports',
    type: 'gauge',
    help: 'Hours of datasets to be exported that are over, by what became of them.',
    values: { label: 'state', of: { ...(await exports.counts()) } },
  });
}
