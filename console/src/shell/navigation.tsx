import { Link, useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { base } from '../api/base.ts';
import { IconButton } from '../design/button.tsx';
import { Icon, type IconName } from '../design/icon.tsx';
import { Logo } from '../design/logo.tsx';
import { Segmented } from '../design/segmented.tsx';
import { usePreference } from '../preferences/preference.ts';
import { theme } from '../preferences/theme.ts';
import { zone } from '../preferences/zone.ts';
import { zoneName } from '../time/format.ts';
import { AccountSwitch } from './account-switch.tsx';
import styles from './navigation.module.css';
import { UserMenu } from './user-menu.tsx';

const themes = [
  { value: 'system', label: <ThemeIcon icon="monitor" name="System" />, title: 'Colours of the system' },
  { value: 'light', label: <ThemeIcon icon="sun" name="Light" />, title: 'Light colours' },
  { value: 'dark', label: <ThemeIcon icon="moon" name="Dark" />, title: 'Dark colours' },
] as const;

const zones = [
  { value: 'local', label: 'Local', title: `Times in ${zoneName('local')}` },
  { value: 'utc', label: 'UTC', title: 'Times in UTC' },
] as const;

interface NavigationProps {
  readonly account: string;
  onHelp(): void;
}

/** The screens that exist, the account, and the settings of this browser. */
export function Navigation({ account, onHelp }: NavigationProps) {
  const [chosenTheme, setTheme] = usePreference(theme);
  const [chosenZone, setZone] = usePreference(zone);
  // On narrow screens only; on wide ones everything is always visible.
  const [isOpen, setOpen] = useState(false);
  const toggle = () => setOpen(!isOpen);
  const path = useLocation({ select: ({ pathname }) => pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: closes after a navigation.
  useEffect(() => setOpen(false), [path]);
  return (
    <header className={styles.navigation} data-open={isOpen || undefined}>
      <div className={styles.top}>
        <span className={styles.brand}>
          <Logo />
          Vedette
        </span>
        <AccountSwitch account={account} />
        <span className={styles.toggle}>
          <IconButton icon={isOpen ? 'x' : 'menu'} label="Menu" aria-expanded={isOpen} onClick={toggle} />
        </span>
      </div>
      <nav aria-label="Screens" className={styles.screens}>
        <Link
          to="/$account/alerts"
          params={{ account }}
          className={styles.screen ?? ''}
          activeProps={{ 'aria-current': 'page' }}
        >
          <Icon name="bell" />
          Alerts
        </Link>
      </nav>
      <div className={styles.settings}>
        <div className={styles.switches}>
          <Segmented label="Colours" value={chosenTheme} options={themes} onChange={setTheme} />
          <Segmented label="Time zone" value={chosenZone} options={zones} onChange={setZone} />
        </div>
        <div className={styles.links}>
          <a className={styles.screen} href={`${base}/api/v2/docs`}>
            <Icon name="bookOpen" />
            API reference
          </a>
          <IconButton icon="keyboard" label="Keyboard shortcuts" onClick={onHelp} />
        </div>
        <UserMenu />
      </div>
    </header>
  );
}

function ThemeIcon({ icon, name }: { readonly icon: IconName; readonly name: string }) {
  return (
    <>
      <Icon name={icon} />
      <span className="visually-hidden">{name}</span>
    </>
  );
}
