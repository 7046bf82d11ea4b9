/** A line of sshd in a log. */
export interface LoggedLine {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly pid: number;
  readonly message: string;
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const line =
  /^(?:([A-Z][a-z]{2}) +(\d{1,2}) (\d\d):(\d\d):(\d\d)|(\d{4}-\d\d-\d\dT\S{8,30})) \S+ sshd(?:-session)?\[(\d{1,10})\]: (.*)$/;
/** Time zones differ by quarters of an hour. */
const zoneStep = 15 * 60_000;
const [day, maxZone] = [24 * 3_600_000, 14 * 3_600_000];

/** The lines of sshd, where those without a zone are ahead of UTC by the milliseconds. */
export function parseAuthLog(text: string, zone: number, writtenAt: number): LoggedLine[] {
  return text.split('\n').flatMap((one) => {
    const fields = line.exec(one);
    if (!fields) return [];
    const [, month, date, hours, minutes, seconds, full, pid, message = ''] = fields;
    const at =
      full === undefined
        ? localTime([month, date, hours, minutes, seconds], writtenAt) - zone
        : Date.parse(full);
    return Number.isFinite(at) ? [{ at, pid: Number(pid), message }] : [];
  });
}

/** How far the log is ahead of UTC, by its last line: that was written when the file was. */
export function zoneOf(text: string, writtenAt: number): number | undefined {
  for (const one of text.trimEnd().split('\n').reverse()) {
    const fields = /^([A-Z][a-z]{2}) +(\d{1,2}) (\d\d):(\d\d):(\d\d) /.exec(one);
    if (!fields) continue;
    const ahead = localTime(fields.slice(1), writtenAt) - writtenAt;
    const zone = Math.round(ahead / zoneStep) * zoneStep;
    return Math.abs(zone) <= maxZone ? zone : undefined;
  }
  return undefined;
}

/** The year is not logged: it is the last one in which the line is not later than the file. */
function localTime(fields: readonly (string | undefined)[], writtenAt: number): number {
  const [month = '', ...numbers] = fields;
  const [date = 0, hours = 0, minutes = 0, seconds = 0] = numbers.map(Number);
  const year = new Date(writtenAt).getUTCFullYear();
  const inYear = (one: number) => Date.UTC(one, months.indexOf(month), date, hours, minutes, seconds);
  if (!months.includes(month)) return Number.NaN;
  // At the turn of a year, the zone may put the line into the next one.
  const next = inYear(year + 1);
  if (next <= writtenAt + day) return next;
  return inYear(year) <= writtenAt + day ? inYear(year) : inYear(year - 1);
}
