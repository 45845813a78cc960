import { useQueryClient } from '@tanstack/react-query';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { company } from '../api/company.ts';
import { useLive } from '../api/live.ts';
import { logOut, type Session } from '../api/session.ts';
import { LANGUAGES, type Language, t } from '../i18n/index.ts';
import { useKeys } from './keys.ts';

const SCREENS = [
  { path: '/', name: 'nav.today' },
  { path: '/orders', name: 'nav.orders' },
  { path: '/ship', name: 'nav.ship' },
  { path: '/desk', name: 'nav.desk' },
  { path: '/close', name: 'nav.close' },
  { path: '/shops', name: 'nav.shops' },
  { path: '/carriers', name: 'nav.carriers' },
  { path: '/events', name: 'nav.events' },
  { path: '/admin', name: 'nav.admin' },
] as const;

/** The first screen has the address that all others begin with. */
function isAt(path: string, screen: string): boolean {
  return screen === '/' ? path === '/' : path.startsWith(screen);
}

interface FrameProps {
  session: Session;
  language: Language;
  setLanguage: (language: Language) => void;
  children: ComponentChildren;
}

/** Shows the navigation, the company, the language and the logout around a screen. */
export function Frame({ session, language, setLanguage, children }: FrameProps) {
  const queries = useQueryClient();
  const [chosen, choose] = useState(company.value);
  const [path, go] = useLocation();
  useLive(chosen);
  const menu = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another screen is another link
  useEffect(() => {
    const link = menu.current?.querySelector<HTMLElement>('[aria-current]');
    // Not scrollIntoView, which would also scroll the page, when one comes back to the middle of a list.
    if (menu.current && link)
      menu.current.scrollLeft = link.offsetLeft - (menu.current.clientWidth - link.offsetWidth) / 2;
  }, [path]);
  useKeys({
    '/': () => {
      const box = document.querySelector<HTMLInputElement>('input[type=search]');
      if (box) box.focus();
      else go('/orders#search');
    },
  });
  const changeCompany = (key: string): void => {
    company.choose(key);
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
    choose(key);
  };
  return (
    <>
      <a class="skip" href="#content">
        {t('app.skip')}
      </a>
      <header class="frame">
        <span class="brand">{t('app.title')}</span>
        <nav ref={menu} aria-label={t('nav.menu')}>
          {SCREENS.filter(({ path: to }) => to !== '/admin' || session.role === 'admin').map(({ path: to, name }) => (
            <Link key={to} href={to} aria-current={isAt(path, to) ? 'page' : undefined}>
              {t(name)}
            </Link>
          ))}
        </nav>
        <div class="person">
          {session.companies.length > 1 && (
            <select
              aria-label={t('nav.company')}
              value={chosen ?? ''}
              onChange={({ currentTarget }) => changeCompany(currentTarget.value)}
            >
              {session.companies.map(({ key, name }) => (
                <option key={key} value={key}>
                  {name}
                </option>
              ))}
            </select>
          )}
          {LANGUAGES.filter((one) => one !== language).map((one) => (
            <button key={one} type="button" lang={one} onClick={() => setLanguage(one)}>
              {one.toUpperCase()}
            </button>
          ))}
          <button type="button" onClick={() => void logOut()}>
            {t('nav.logOut')}
          </button>
        </div>
      </header>
      <main id="content" key={chosen} tabIndex={-1}>
        {children}
      </main>
    </>
  );
}
