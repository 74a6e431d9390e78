import { listNotifications, me, ok, type User } from 'boxoffice-client';
import { type ComponentChildren, type ComponentType, createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { BareHeader } from '../components/brand.tsx';
import { Page } from '../components/page.tsx';
import { Loaded, Loading } from '../components/resource.tsx';
import { type Resource, useResource } from '../components/use-resource.ts';
import { beginSession, endSession, loginPath, resumeSession } from './session.ts';

interface Session {
  /** Null for a visitor. */
  user: User | null;
  setUser(user: User): void;
  /** How many notifications are unread, up to ten; asked for anew on each page. */
  unread: Resource<number>;
  /** After signing in or registering: goes on to where the visitor was going. */
  signedIn(answer: { token: string; user: User }): void;
  signOut(): Promise<void>;
}

const SessionContext = createContext<Session | undefined>(undefined);

/** Takes up the session, then shows the pages. */
export function UserProvider({ children }: { children: ComponentChildren }) {
  const { route, query, path } = useLocation();
  const [changed, setUser] = useState<User>();
  const resumed = useResource(async () => ((await resumeSession()) ? (await ok(me())).user : null), []);
  const user = changed ?? (resumed.state === 'ready' ? resumed.value : null);
  const unread = useResource(() => (user ? countUnread() : Promise.resolve(0)), [user?.id, path]);
  if (resumed.state !== 'ready') {
    return (
      <>
        <BareHeader />
        <Page>
          <Loaded of={resumed}>{() => null}</Loaded>
        </Page>
      </>
    );
  }
  const session: Session = {
    user,
    setUser,
    unread,
    signedIn({ token, user }) {
      beginSession(token);
      setUser(user);
      route(destination(query.next), true);
    },
    async signOut() {
      await endSession();
      // A new page, on which nothing of this user is left.
      location.assign('/');
    },
  };
  return <SessionContext.Provider value={session}>{children}</SessionContext.Provider>;
}

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('There is no UserProvider around this');
  return session;
}

/** A page for people who are signed in; others sign in first, and come back. */
export function forUsers(UserPage: ComponentType<{ user: User }>): ComponentType {
  return function PageForUsers() {
    const { user } = useSession();
    return user ? <UserPage user={user} /> : <ToSignIn />;
  };
}

function ToSignIn() {
  const { route } = useLocation();
  useEffect(() => route(loginPath(), true), []);
  return (
    <Page title="Sign in">
      <Loading />
    </Page>
  );
}

/** Accepts only pages of this shop: an attacker may have made the link. */
function destination(next = '/'): string {
  const url = URL.parse(next, location.origin);
  return url?.origin === location.origin ? url.href : '/';
}

async function countUnread(): Promise<number> {
  return (await ok(listNotifications({ unread: 'true', limit: 10 }))).notifications.length;
}
