import { type FormEvent, useState } from 'react';
import { call } from '../../api/client.ts';
import { Button } from '../../design/button.tsx';
import { Dialog, DialogActions } from '../../design/dialog.tsx';
import { TextArea } from '../../design/field.tsx';
import { type Target, useBulk } from './bulk.ts';
import styles from './dialogs.module.css';
import { Results } from './results.tsx';

interface CommentDialogProps {
  readonly account: string;
  readonly alerts: readonly Target[];
  readonly isOpen: boolean;
  onClose(): void;
}

/** The same comment on several alerts. */
export function CommentDialog({ account, alerts, isOpen, onClose }: CommentDialogProps) {
  const [comment, setComment] = useState('');
  const bulk = useBulk(account, 'commented');
  const leave = () => {
    bulk.reset();
    setComment('');
    onClose();
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const body = { comment: comment.trim(), format: 'plaintext' as const };
    const add = (id: number) =>
      call('POST /api/v2/Alerts/{alertId}/comment', { path: { alertId: String(id) }, body }, { account });
    if ((await bulk.run(alerts, add)) && alerts.length === 1) leave();
  };
  const what = alerts.length === 1 ? 'alert' : `${alerts.length} alerts`;
  return (
    <Dialog title={`Comment on ${what}`} isOpen={isOpen} onClose={leave}>
      {bulk.total > 0 ? (
        <Results results={bulk.results} total={bulk.total} past="commented" onClose={leave} />
      ) : (
        <form className={styles.form} onSubmit={(event) => void submit(event)}>
          <TextArea
            label="Comment"
            required
            maxLength={20_000}
            value={comment}
            onChange={(event) => setComment(event.target.value)}
          />
          <DialogActions>
            <Button onClick={leave}>Cancel</Button>
            <Button kind="primary" type="submit" disabled={comment.trim() === ''}>
              {`Comment on ${what}`}
            </Button>
          </DialogActions>
        </form>
      )}
    </Dialog>
  );
}
