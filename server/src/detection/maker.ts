/** What clients look for in `owner` to tell what every account has from what its people made. */
export const maker = 'Lacework';
