import { listEvents, ok, type User } from 'boxoffice-client';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { messageOf } from '../errors.ts';
import { useSession } from '../session/user.tsx';
import { t } from '../texts/shop.ts';
import { LanguageChoice } from './language-choice.tsx';
import { ShopLink, SkipLink } from './page.tsx';
import { useResource } from './resource.tsx';

/** The header of each page, with the navigation for the current user. */
export function Header() {
  const { user, signOut } = useSession();
  const { path } = useLocation();
  const [signOutError, setSignOutError] = useState<unknown>();
  const [isOpen, setOpen] = useState(false);
  const menuButton = useRef<HTMLButtonElement>(null);
  useEffect(() => setOpen(false), [path]);
  // Not `useEffect`, which runs only after the menu is painted: Escape works as soon as the menu is open.
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    const closeOnEscape = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return;
      setOpen(false);
      menuButton.current?.focus();
    };
    addEventListener('keydown', closeOnEscape);
    return () => removeEventListener('keydown', closeOnEscape);
  }, [isOpen]);
  return (
    <header>
      <SkipLink />
      <ShopLink />
      {/* On a wide screen the menu is always open, and its button is hidden. */}
      <button
        ref={menuButton}
        class="menu-button"
        type="button"
        aria-expanded={isOpen}
        aria-controls="menu"
        onClick={() => setOpen(!isOpen)}
      >
        {t('menu.button')} <UnreadCount />
      </button>
      <nav id="menu" class={isOpen ? 'open' : undefined} aria-label={t('menu.main')}>
        <NavLink to="/">{t('menu.events')}</NavLink>
        {user && <NavLink to="/tickets">{t('menu.tickets')}</NavLink>}
        {user && (
          <NavLink to="/notifications">
            {t('menu.notifications')} <UnreadCount />
          </NavLink>
        )}
        {user && user.role !== 'USER' && <NavLink to="/organizer">{t('menu.organize')}</NavLink>}
        {user && <WorkLink user={user} />}
        {user && <NavLink to="/account">{t('menu.account')}</NavLink>}
        {user && (
          <button type="button" onClick={() => signOut().catch(setSignOutError)}>
            {t('menu.signOut')}
          </button>
        )}
        {!user && <NavLink to="/login">{t('menu.signIn')}</NavLink>}
        <LanguageChoice />
      </nav>
      {signOutError !== undefined && <p role="alert">{messageOf(signOutError)}</p>}
    </header>
  );
}

function NavLink({ to, children }: { to: string; children: ComponentChildren }) {
  const { path } = useLocation();
  return (
    <a href={to} aria-current={path === to ? 'page' : undefined}>
      {children}
    </a>
  );
}

/** Links to the events that the user works at. Absent when there are none, and on a failure. */
function WorkLink({ user }: { user: User }) {
  const resource = useResource(() => ok(listEvents({ staff: 'me', limit: 1 })), [user.id]);
  const hasEvents =
    resource.state === 'ready' && (resource.value.events.length > 0 || resource.value.nextCursor);
  return hasEvents ? <NavLink to="/work">{t('menu.work')}</NavLink> : null;
}

/** The number of unread notifications, up to nine. Absent on a failure. */
function UnreadCount() {
  const { unread } = useSession();
  const count = unread.state === 'ready' ? unread.value : 0;
  return count > 0 ? <span class="count">{count > 9 ? '9+' : count}</span> : null;
}
