import { useSyncExternalStore } from 'react';

let message = '';
const listeners = new Set<() => void>();

/** Lets screen readers say the result of a search or an action. */
export function announce(text: string): void {
  message = text;
  for (const listener of listeners) listener();
}

export function Announcer() {
  const text = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => message,
  );
  return (
    <div className="visually-hidden" role="status" aria-live="polite">
      {text}
    </div>
  );
}
