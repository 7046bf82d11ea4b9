import { useNavigate } from '@tanstack/react-router';

/** The screens that keys lead to. */
export function useGoTo(account: string) {
  const navigate = useNavigate();
  return { alerts: () => void navigate({ to: '/$account/alerts', params: { account } }) };
}
