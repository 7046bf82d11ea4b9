/** Linux accepts 2 MB and more; this is more than is reported, in any encoding. */
export const maxCmdlineBytes = 32 * 1024;
/** Empty parameters take one byte each. */
const maxParameters = 4_096;

/** The parameters in `/proc/PID/cmdline`, each ended by NUL. A process may have overwritten them with anything. */
export function parseCmdline(bytes: Buffer): string[] {
  let end = Math.min(bytes.length, maxCmdlineBytes);
  // A title that is shorter than the parameters it replaces is filled up with NUL.
  while (end > 0 && bytes[end - 1] === 0) end--;
  return end === 0 ? [] : bytes.toString('utf8', 0, end).split('\0', maxParameters);
}
