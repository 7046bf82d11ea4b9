import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { sessionQuery, signOut } from '../api/session.ts';
import { Icon } from '../design/icon.tsx';
import { useSession } from './account.ts';
import { announce } from './announcer.tsx';
import styles from './menu.module.css';

export function UserMenu() {
  const { user } = useSession();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const leave = async () => {
    try {
      await signOut();
    } catch (error) {
      announce((error as Error).message);
      return;
    }
    await navigate({ to: '/sign-in', search: {} });
    // Nothing of the account stays in memory for the next user of the browser.
    queries.clear();
    queries.setQueryData(sessionQuery.queryKey, null);
  };
  return (
    <MenuTrigger>
      <Button className={styles.trigger ?? ''} aria-label={`Signed in as ${user.email}`}>
        <Icon name="user" />
        <span className={styles.name}>{user.email}</span>
        <Icon name="chevronDown" />
      </Button>
      <Popover className={styles.popover ?? ''} placement="top start">
        <Menu className={styles.menu ?? ''} aria-label="User" onAction={() => void leave()}>
          <MenuItem id="sign-out" className={styles.item ?? ''}>
            <Icon name="logOut" />
            Sign out
          </MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
