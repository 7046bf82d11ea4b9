import { inventoryRecord } from '../../telemetry/inventory-record.ts';
import { recordSchema } from '../../telemetry/record-form.ts';

export const family = {
  name: 'Inventory',
  description: 'Cloud resources and their collection.',
  record: recordSchema(inventoryRecord),
  isDataset: true,
};
