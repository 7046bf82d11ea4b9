import { type FormEvent, useState } from 'react';
import { call } from '../../api/client.ts';
import { Button } from '../../design/button.tsx';
import { Dialog, DialogActions } from '../../design/dialog.tsx';
import { TextArea } from '../../design/field.tsx';
import { type Target, useBulk } from './bulk.ts';
import styles from './dialogs.module.css';
import { Results } from './results.tsx';

/** Reasons by the number that the interface knows, in the order of their frequency. */
const reasons = [
  [1, 'False positive', 'The policy is wrong about this.'],
  [5, 'Expected behavior', 'It happened, and it is intended.'],
  [4, 'Expected because of routine testing', 'A test caused it.'],
  [3, 'Malicious and have resolution in place', 'It was an attack, and it is dealt with.'],
  [2, 'Not enough information', 'It cannot be decided.'],
  [0, 'Other', 'Say why in the comment.'],
] as const;

interface CloseDialogProps {
  readonly account: string;
  readonly alerts: readonly Target[];
  readonly isOpen: boolean;
  onClose(): void;
}

export function CloseDialog({ account, alerts, isOpen, onClose }: CloseDialogProps) {
  const [reason, setReason] = useState<number>(reasons[0][0]);
  const [comment, setComment] = useState('');
  const [isCommentMissing, setCommentMissing] = useState(false);
  const bulk = useBulk(account, 'closed');
  const leave = () => {
    bulk.reset();
    setComment('');
    setCommentMissing(false);
    onClose();
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const isMissing = reason === 0 && comment.trim() === '';
    setCommentMissing(isMissing);
    if (isMissing) return;
    const body = { reason, ...(comment.trim() && { comment: comment.trim() }) };
    const close = (id: number) =>
      call('POST /api/v2/Alerts/{alertId}/close', { path: { alertId: String(id) }, body }, { account });
    // A single success needs no list of results.
    if ((await bulk.run(alerts, close)) && alerts.length === 1) leave();
  };
  const what = alerts.length === 1 ? 'alert' : `${alerts.length} alerts`;
  return (
    <Dialog title={bulk.total > 0 ? 'Closing alerts' : `Close ${what}`} isOpen={isOpen} onClose={leave}>
      {bulk.total > 0 ? (
        <Results results={bulk.results} total={bulk.total} past="closed" onClose={leave} />
      ) : (
        <form className={styles.form} onSubmit={(event) => void submit(event)}>
          <p className={styles.note}>
            A closed alert cannot be opened again. Violations found later raise a new alert.
          </p>
          <fieldset className={styles.reasons}>
            <legend>Reason</legend>
            {reasons.map(([value, label, meaning]) => (
              <label key={value} className={styles.reason}>
                <input
                  type="radio"
                  name="reason"
                  checked={reason === value}
                  onChange={() => setReason(value)}
                />
                <span>
                  {label}
                  <small>{meaning}</small>
                </span>
              </label>
            ))}
          </fieldset>
          <TextArea
            label={reason === 0 ? 'Comment' : 'Comment (optional)'}
            maxLength={10_000}
            value={comment}
            error={isCommentMissing ? 'Say why the alert is closed.' : undefined}
            onChange={(event) => setComment(event.target.value)}
          />
          <DialogActions>
            <Button onClick={leave}>Cancel</Button>
            <Button kind="primary" type="submit">{`Close ${what}`}</Button>
          </DialogActions>
        </form>
      )}
    </Dialog>
  );
}
