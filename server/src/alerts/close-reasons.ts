/** Reasons for closing an alert, by the number that clients send. */
export const closeReasons = {
  0: 'Other',
  1: 'False positive',
  2: 'Not enough information',
  3: 'Malicious and have resolution in place',
  4: 'Expected because of routine testing',
  5: 'Expected behavior',
} as const;

export type CloseReason = keyof typeof closeReasons;
