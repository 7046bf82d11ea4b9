/** Whether the provider denies a permission to the collector, as it names them: `iam:ListUsers`. */
export type Denial = (permission: string) => boolean;

/** Collectors usually have all the permissions that they ask for. */
export const nothingDenied: Denial = () => false;
