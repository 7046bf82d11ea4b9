import { useNavigate } from '@tanstack/react-router';
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { Icon } from '../design/icon.tsx';
import { useSession } from './account.ts';
import styles from './menu.module.css';

/** The account of the screen, and the way to another one. */
export function AccountSwitch({ account }: { readonly account: string }) {
  const { accounts } = useSession();
  const navigate = useNavigate();
  const name = (
    <>
      <Icon name="building2" />
      <span className={styles.name}>{account}</span>
    </>
  );
  if (accounts.length < 2) return <span className={styles.single}>{name}</span>;
  return (
    <MenuTrigger>
      <Button className={styles.trigger ?? ''} aria-label={`Account ${account}, switch`}>
        {name}
        <Icon name="chevronDown" />
      </Button>
      <Popover className={styles.popover ?? ''} placement="bottom start">
        <Menu
          className={styles.menu ?? ''}
          aria-label="Accounts"
          selectionMode="single"
          selectedKeys={[account]}
          onAction={(key) => void navigate({ to: '/$account/alerts', params: { account: String(key) } })}
        >
          {accounts.map((each) => (
            <MenuItem key={each.name} id={each.name} textValue={each.name} className={styles.item ?? ''}>
              <span className={styles.name}>{each.name}</span>
              {each.isReadOnly && <span className={styles.note}>read-only</span>}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
