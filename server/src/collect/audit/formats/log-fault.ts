/** A log that no repetition makes readable. */
export class LogFault extends Error {}
