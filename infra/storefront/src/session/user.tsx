import { attachOrders, listNotifications, me, ok, type User } from 'boxoffice-client';
import { type ComponentChildren, type ComponentType, createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { BareHeader, Page } from '../components/page.tsx';
import { Loaded, Loading, type Resource, useResource } from '../components/resource.tsx';
import { forgetUnsavedEvent } from '../event-form/unsaved-event.ts';
import { worksOffline } from '../paths.ts';
import { t } from '../texts/shop.ts';
import { forgetOrders, guestOrderIds } from './order-tokens.ts';
import { beginSession, endSession, loginPath, resumeSession, Unreachable } from './session.ts';

interface Session {
  /** Null for a visitor. */
  user: User | null;
  /** Whether the service could not be reached to resume the session, on a page that works without. */
  isUnreachable: boolean;
  setUser(user: User): void;
  /** The number of unread notifications, up to ten. Loaded again on each page. */
  unread: Resource<number>;
  /** Begins the session after signing in or registering, and opens the page that the visitor wanted. */
  completeSignIn(answer: { token: string; user: User }): void;
  signOut(): Promise<void>;
}

const SessionContext = createContext<Session | undefined>(undefined);

/** Resumes the session, then shows the page. */
export function UserProvider({ children }: { children: ComponentChildren }) {
  const { route, query, path } = useLocation();
  const [changedUser, setUser] = useState<User>();
  const resumedUser = useResource(async () => ((await resumeSession()) ? (await ok(me())).user : null), []);
  const user = changedUser ?? (resumedUser.state === 'ready' ? resumedUser.value : null);
  const unread = useResource(() => (user ? countUnread() : Promise.resolve(0)), [user?.id, path]);
  const isUnreachable =
    resumedUser.state === 'failed' && resumedUser.error instanceof Unreachable && worksOffline(path);
  if (resumedUser.state !== 'ready' && !isUnreachable) {
    return (
      <>
        <BareHeader />
        <Page>
          <Loaded of={resumedUser}>{() => null}</Loaded>
        </Page>
      </>
    );
  }
  const session: Session = {
    user,
    isUnreachable,
    setUser,
    unread,
    completeSignIn({ token, user }) {
      beginSession(token);
      setUser(user);
      // Without the guest's orders the user is signed in all the same.
      const adding = user.emailVerified ? addGuestOrders().catch(() => {}) : Promise.resolve();
      const home = user.role === 'USER' ? '/' : '/organizer';
      void adding.then(() => route(safeDestination(query.next ?? home), true));
    },
    async signOut() {
      await endSession();
      forgetUnsavedEvent();
      await (await import('../door/storage.ts')).removeDoors();
      // Loading a page removes the user's data from memory.
      location.assign('/');
    },
  };
  return <SessionContext.Provider value={session}>{children}</SessionContext.Provider>;
}

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('useSession needs a UserProvider around the component');
  return session;
}

/** Wraps a page that needs a signed-in user. Visitors sign in first, and then return to the page. */
export function forUsers(UserPage: ComponentType<{ user: User }>): ComponentType {
  return function PageForUsers() {
    const { user } = useSession();
    return user ? <UserPage user={user} /> : <RedirectToSignIn />;
  };
}

export function RedirectToSignIn() {
  const { route } = useLocation();
  useEffect(() => route(loginPath(), true), []);
  return (
    <Page title={t('page.signIn')}>
      <Loading />
    </Page>
  );
}

/** Returns the page to open after signing in: only one of this shop, since an attacker may have made the link. */
function safeDestination(next: string): string {
  const url = URL.parse(next, location.origin);
  return url?.origin === location.origin ? url.href : '/';
}

/** Adds the orders that were bought in this browser without an account to the account of the same address. */
export async function addGuestOrders(): Promise<void> {
  if (guestOrderIds().length === 0) return;
  const { token } = await ok(attachOrders());
  beginSession(token);
  // Orders of other addresses stay with their guests: their tokens are still valid, and are asked for again by mail.
  forgetOrders();
}

async function countUnread(): Promise<number> {
  return (await ok(listNotifications({ unread: 'true', limit: 10 }))).notifications.length;
}
