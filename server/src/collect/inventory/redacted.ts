/** Takes the place of a secret value. */
export const redacted = '[redacted]';
