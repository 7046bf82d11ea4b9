import { usePreference } from '../preferences/preference.ts';
import { zone } from '../preferences/zone.ts';
import { exactTime, relativeTime } from './format.ts';
import { useNow } from './now.ts';

interface TimeProps {
  /** As the interface writes it. */
  readonly at: string;
  /** The exact time is shown instead of being the tooltip. */
  readonly isExact?: boolean;
}

/** A time relative to now, with the exact one as its tooltip. */
export function Time({ at, isExact = false }: TimeProps) {
  const [chosen] = usePreference(zone);
  const now = useNow();
  const instant = Date.parse(at);
  const exact = exactTime(instant, chosen);
  return (
    <time dateTime={at} title={isExact ? relativeTime(instant, now) : exact}>
      {isExact ? exact : relativeTime(instant, now)}
    </time>
  );
}
