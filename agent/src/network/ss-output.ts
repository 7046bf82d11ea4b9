export interface ByteCounts {
  /** Bytes that the peer has confirmed. */
  readonly sent: number;
  readonly received: number;
}

/** The counters of `ss -tineH` by the inode of the socket. Versions write a socket on one line or on two. */
export function parseSs(text: string): Map<number, ByteCounts> {
  const counts = new Map<number, ByteCounts>();
  let inode: number | undefined;
  for (const line of text.split('\n')) {
    // What follows an address is indented.
    if (!/^\s/.test(line)) inode = undefined;
    inode ??= numberOf(/ ino:(\d{1,15})(?: |$)/.exec(line));
    if (inode === undefined || !/ (?:rto|mss|cwnd):/.test(line)) continue;
    // The name of a control group comes before the counters and may look like one.
    const counters = line.slice(Math.max(0, line.lastIndexOf(' rto:')));
    const sent = numberOf(/ bytes_acked:(\d{1,20})(?: |$)/.exec(counters)) ?? 0;
    const received = numberOf(/ bytes_received:(\d{1,20})(?: |$)/.exec(counters)) ?? 0;
    if (inode > 0) counts.set(inode, { sent, received });
    inode = undefined;
  }
  return counts;
}

function numberOf(found: RegExpExecArray | null): number | undefined {
  const value = Number(found?.[1] ?? Number.NaN);
  return Number.isSafeInteger(value) ? value : undefined;
}
