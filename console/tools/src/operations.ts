/** Operations that the console calls; their types are written to `console/src/api/interface.ts`. */
export const operations = [
  'POST /api/v2/Alerts/search',
  'GET /api/v2/Alerts/search/{page}',
  'GET /api/v2/Alerts/{alertId}',
  'POST /api/v2/Alerts/{alertId}/comment',
  'POST /api/v2/Alerts/{alertId}/close',
] as const;
