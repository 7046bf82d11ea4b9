import { Link } from '@tanstack/react-router';
import { useSession } from './account.ts';
import styles from './account-links.module.css';

export function AccountLinks() {
  return (
    <ul className={styles.links}>
      {useSession().accounts.map(({ name }) => (
        <li key={name}>
          <Link to="/$account/alerts" params={{ account: name }}>
            {name}
          </Link>
        </li>
      ))}
    </ul>
  );
}
