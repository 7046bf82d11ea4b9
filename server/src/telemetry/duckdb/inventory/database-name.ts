/** The database name of the inventory in the engine. */
export const inventoryName = 'inventory';
