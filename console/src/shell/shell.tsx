import { Outlet, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { Empty } from '../design/states.tsx';
import { useSession } from './account.ts';
import { AccountLinks } from './account-links.tsx';
import { Announcer } from './announcer.tsx';
import { useGoTo } from './go-to.ts';
import { KeyboardHelp } from './keyboard-help.tsx';
import { useKeys } from './keys.ts';
import { Navigation } from './navigation.tsx';
import { Page } from './page.tsx';
import { SessionDialog } from './session-dialog.tsx';
import styles from './shell.module.css';

/** Everything around the screens of an account. */
export function Shell() {
  const { account } = useParams({ from: '/$account' });
  const session = useSession();
  const [isHelpOpen, setHelpOpen] = useState(false);
  const goTo = useGoTo(account);
  useKeys({ '?': () => setHelpOpen(true), 'g a': goTo.alerts });
  const isKnown = session.accounts.some(({ name }) => name === account);
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#main">
        Skip to the content
      </a>
      <div className={styles.side}>
        <Navigation account={account} onHelp={() => setHelpOpen(true)} />
      </div>
      {isKnown ? <Outlet /> : <UnknownAccount account={account} />}
      <KeyboardHelp isOpen={isHelpOpen} onClose={() => setHelpOpen(false)} />
      <SessionDialog />
      <Announcer />
    </div>
  );
}

function UnknownAccount({ account }: { readonly account: string }) {
  return (
    <Page title="Unknown account" heading="Unknown account">
      <Empty title={`You have no access to the account ${account}`} action={<AccountLinks />}>
        It may not exist, or an administrator has to give you access. These are your accounts:
      </Empty>
    </Page>
  );
}
