/** Clients match this `owner` to tell built-in objects from custom ones. */
export const builtInOwner = 'Lacework';
