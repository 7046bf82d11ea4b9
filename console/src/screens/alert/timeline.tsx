import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type RefObject, useState } from 'react';
import { call } from '../../api/client.ts';
import { Button } from '../../design/button.tsx';
import { TextArea } from '../../design/field.tsx';
import { Icon, type IconName } from '../../design/icon.tsx';
import { ProblemNote } from '../../design/states.tsx';
import { announce } from '../../shell/announcer.tsx';
import { Time } from '../../time/time.tsx';
import styles from './alert.module.css';
import { useScope } from './alert-data.ts';
import { Section } from './section.tsx';

const icons: Readonly<Record<string, IconName>> = { UserUpdate: 'user', IntegrationUpdate: 'send' };

interface TimelineProps {
  readonly account: string;
  readonly alertId: string;
  readonly isReadOnly: boolean;
  readonly commentRef: RefObject<HTMLTextAreaElement | null>;
}

/** What happened to the alert, and the place to comment on it. */
export function Timeline({ account, alertId, isReadOnly, commentRef }: TimelineProps) {
  const query = useScope(account, alertId, 'Timeline');
  return (
    <div className={styles.stack}>
      <Section title="Timeline" query={query} empty="Nothing has happened to this alert yet.">
        {(entries) => (
          <ol className={styles.timeline}>
            {entries.map((entry) => (
              <li key={entry.id}>
                <Icon name={icons[entry.entryAuthorType] ?? 'clock'} />
                <div className={styles.entry}>
                  <p className={styles.by}>
                    <bdi>{entry.user.username || 'Vedette'}</bdi>, <Time at={entry.createdTime} />
                  </p>
                  <p className={styles.said} dir="auto">
                    {entry.message.value}
                  </p>
                </div>
              </li>
            ))}
          </ol>
        )}
      </Section>
      {isReadOnly ? (
        <p className={styles.none}>Your role in this account is read-only, so you cannot comment.</p>
      ) : (
        <CommentForm account={account} alertId={alertId} commentRef={commentRef} />
      )}
    </div>
  );
}

function CommentForm({ account, alertId, commentRef }: Omit<TimelineProps, 'isReadOnly'>) {
  const [comment, setComment] = useState('');
  const queries = useQueryClient();
  const add = useMutation({
    mutationFn: () =>
      call(
        'POST /api/v2/Alerts/{alertId}/comment',
        { path: { alertId }, body: { comment: comment.trim(), format: 'plaintext' } },
        { account },
      ),
    onSuccess: async () => {
      setComment('');
      announce('Comment added');
      await queries.invalidateQueries({ queryKey: ['alert', account, alertId, 'Timeline'] });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (comment.trim()) add.mutate();
  };
  return (
    <form className={styles.comment} onSubmit={submit}>
      {add.error && <ProblemNote what="The comment was not saved" problem={add.error} />}
      <TextArea
        ref={commentRef}
        label="Comment"
        maxLength={20_000}
        value={comment}
        onChange={(event) => setComment(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event);
        }}
      />
      <Button type="submit" icon="messageSquare" disabled={comment.trim() === '' || add.isPending}>
        Add the comment
      </Button>
    </form>
  );
}
