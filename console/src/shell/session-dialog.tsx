import { useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { sessionQuery } from '../api/session.ts';
import { sessionGate } from '../api/session-gate.ts';
import { Dialog } from '../design/dialog.tsx';
import { SignInForm } from '../screens/sign-in/sign-in-form.tsx';
import { useSession } from './account.ts';

/** Over the page after the session ended: what was typed stays, and the requests are repeated. */
export function SessionDialog() {
  const isOpen = useSyncExternalStore(sessionGate.subscribe, () => sessionGate.isClosed);
  const { user } = useSession();
  const queries = useQueryClient();
  const resume = async () => {
    await queries.refetchQueries({ queryKey: sessionQuery.queryKey });
    sessionGate.open();
  };
  return (
    <Dialog title="Your session has ended" isOpen={isOpen}>
      <p>Sign in again to continue. The page stays as it is.</p>
      <SignInForm email={user.email} onSignedIn={() => void resume()} />
    </Dialog>
  );
}
