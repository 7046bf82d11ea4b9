import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type Account, type Session, sessionQuery } from '../api/session.ts';

/** The session of the signed-in user; only below routes that require one. */
export function useSession(): Session {
  const { data } = useSuspenseQuery(sessionQuery);
  if (!data) throw new Error('There is no session.');
  return data;
}

/** The account of the URL. */
export function useAccount(): Account {
  const { account } = useParams({ from: '/$account' });
  const found = useSession().accounts.find(({ name }) => name === account);
  if (!found) throw new Error('There is no such account.');
  return found;
}
