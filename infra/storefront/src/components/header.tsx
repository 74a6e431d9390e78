import { listEvents, ok, type User } from 'boxoffice-client';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { messageOf } from '../errors.ts';
import { useSession } from '../session/user.tsx';
import { Brand } from './brand.tsx';
import { useResource } from './use-resource.ts';

/** The bar on top of each page, with what concerns this user. */
export function Header() {
  const { user, signOut } = useSession();
  const { path } = useLocation();
  const [failure, setFailure] = useState<unknown>();
  const [isOpen, setOpen] = useState(false);
  const menuButton = useRef<HTMLButtonElement>(null);
  useEffect(() => setOpen(false), [path]);
  useEffect(() => {
    if (!isOpen) return undefined;
    const close = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return;
      setOpen(false);
      menuButton.current?.focus();
    };
    addEventListener('keydown', close);
    return () => removeEventListener('keydown', close);
  }, [isOpen]);
  return (
    <header>
      <Brand />
      {/* On a wide screen the menu is always open, and its button is not shown. */}
      <button
        ref={menuButton}
        class="menu-button"
        type="button"
        aria-expanded={isOpen}
        aria-controls="menu"
        onClick={() => setOpen(!isOpen)}
      >
        Menu <UnreadCount />
      </button>
      <nav id="menu" class={isOpen ? 'open' : undefined} aria-label="Main">
        <NavLink to="/">Events</NavLink>
        {user && <NavLink to="/tickets">My tickets</NavLink>}
        {user && (
          <NavLink to="/notifications">
            Notifications <UnreadCount />
          </NavLink>
        )}
        {user && user.role !== 'USER' && <NavLink to="/organizer">Organize</NavLink>}
        {user && <WorkLink user={user} />}
        {user && <NavLink to="/account">Account</NavLink>}
        {user && (
          <button type="button" onClick={() => signOut().catch(setFailure)}>
            Sign out
          </button>
        )}
        {!user && <NavLink to="/login">Sign in</NavLink>}
      </nav>
      {failure !== undefined && <p role="alert">{messageOf(failure)}</p>}
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

/** Leads to the events that a user works at, where there are any. The page is whole without it. */
function WorkLink({ user }: { user: User }) {
  const found = useResource(() => ok(listEvents({ staff: 'me', limit: 1 })), [user.id]);
  const works = found.state === 'ready' && (found.value.events.length > 0 || found.value.nextCursor);
  return works ? <NavLink to="/work">Work</NavLink> : null;
}

/** How many notifications are unread, up to nine. The page is whole without it, so a failure is not shown. */
function UnreadCount() {
  const { unread } = useSession();
  const count = unread.state === 'ready' ? unread.value : 0;
  return count > 0 ? <span class="count">{count > 9 ? '9+' : count}</span> : null;
}
