import { useEffect, useRef } from 'react';
import { singleKeys } from '../preferences/single-keys.ts';

/** Actions by key; two keys that are pressed one after the other are separated by a space. */
export type Keys = Readonly<Record<string, () => void>>;

let prefix = '';
let prefixAt = 0;

/** Keys of the present screen. They never act inside fields and dialogs, nor with modifiers. */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (singleKeys.value === 'off' || isTyping(event.target) || document.querySelector('[role=dialog]'))
        return;
      const sequence = event.timeStamp - prefixAt < 1_500 ? `${prefix} ${event.key}` : event.key;
      const action = latest.current[sequence] ?? latest.current[event.key];
      if (!action) return;
      event.preventDefault();
      action();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}

/** Remembers the first key of a sequence for all screens; installed once. */
export function rememberKeys(): void {
  // On the window, so that it runs after the listeners of the screens.
  window.addEventListener('keydown', (event) => {
    prefix = event.key;
    prefixAt = event.timeStamp;
  });
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !['checkbox', 'radio', 'button'].includes(target.type);
  return (
    target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement || target.isContentEditable
  );
}
