import { Fragment } from 'react';
import { Dialog } from '../design/dialog.tsx';
import { usePreference } from '../preferences/preference.ts';
import { singleKeys } from '../preferences/single-keys.ts';
import styles from './keyboard-help.module.css';

const groups = [
  {
    title: 'Everywhere',
    keys: [
      ['?', 'Show this list'],
      ['g a', 'Go to the alerts'],
      ['Esc', 'Close what was opened last'],
    ],
  },
  {
    title: 'Alerts',
    keys: [
      ['j', 'Next alert'],
      ['k', 'Previous alert'],
      ['Enter', 'Open the alert'],
      ['x', 'Select the alert, or unselect it'],
      ['c', 'Comment on the selected alerts'],
      ['e', 'Close the selected alerts'],
      ['/', 'Filter'],
      ['r', 'Refresh'],
    ],
  },
  {
    title: 'One alert',
    keys: [
      ['c', 'Comment'],
      ['e', 'Close the alert'],
      ['u', 'Back to the list'],
    ],
  },
] as const;

export function KeyboardHelp({ isOpen, onClose }: { readonly isOpen: boolean; onClose(): void }) {
  const [chosen, setChosen] = usePreference(singleKeys);
  return (
    <Dialog title="Keyboard shortcuts" isOpen={isOpen} onClose={onClose}>
      {groups.map(({ title, keys }) => (
        <section key={title}>
          <h3>{title}</h3>
          <dl className={styles.keys}>
            {keys.map(([key, effect]) => (
              <Fragment key={key}>
                <dt>
                  {key.split(' ').map((part) => (
                    <kbd key={part} className={styles.key}>
                      {part}
                    </kbd>
                  ))}
                </dt>
                <dd>{effect}</dd>
              </Fragment>
            ))}
          </dl>
        </section>
      ))}
      <label className={styles.switch}>
        <input
          type="checkbox"
          checked={chosen === 'on'}
          onChange={(event) => setChosen(event.target.checked ? 'on' : 'off')}
        />
        Single keys have an effect. Switch them off if they are pressed unintentionally.
      </label>
    </Dialog>
  );
}
