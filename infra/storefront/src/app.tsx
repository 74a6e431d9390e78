import type { ComponentType, FunctionComponent, JSX } from 'preact';
import { useErrorBoundary } from 'preact/hooks';
import { LocationProvider, lazy, Route, Router } from 'preact-iso';
import { Header } from './components/header.tsx';
import { useArrival } from './components/navigation.ts';
import { Page } from './components/page.tsx';
import { Failure } from './components/resource.tsx';
import { SessionConfirmation } from './components/session-confirmation.tsx';
import { EventPage } from './pages/event.tsx';
import { EventsPage } from './pages/events.tsx';
import { NotFoundPage } from './pages/not-found.tsx';
import { paths } from './paths.ts';
import { forUsers, UserProvider } from './session/user.tsx';
import { t } from './texts/shop.ts';
import { loadTexts } from './texts/texts.ts';

/**
 * A page whose code and texts are loaded when it is opened. When the code can't be loaded, the page shows the error.
 */
function lazyPage<Props>(load: () => Promise<(props: Props) => JSX.Element>): FunctionComponent<Props> {
  return lazy(async () => {
    const code = load().catch((error) => () => <BrokenPage error={error} />);
    const [page] = await Promise.all([code, loadTexts()]);
    return { default: page as FunctionComponent<Props> };
  });
}

function BrokenPage({ error }: { error: unknown }) {
  return (
    <Page title={t('page.error')}>
      <Failure error={error} onRetry={() => location.reload()} />
    </Page>
  );
}

// All pages but the first of a buyer are loaded when they are opened.
const AccountPage = lazyPage(async () => (await import('./pages/account.tsx')).AccountPage);
const AttendeesPage = lazyPage(async () => (await import('./pages/attendees.tsx')).AttendeesPage);
const ChangeEmailPage = lazyPage(async () => (await import('./pages/change-email.tsx')).ChangeEmailPage);
const UndoEmailChangePage = lazyPage(
  async () => (await import('./pages/change-email.tsx')).UndoEmailChangePage,
);
const CheckInPage = lazyPage(async () => (await import('./pages/check-in.tsx')).CheckInPage);
const CodesPage = lazyPage(async () => (await import('./pages/codes.tsx')).CodesPage);
const EditEventPage = lazyPage(async () => (await import('./pages/edit-event.tsx')).EditEventPage);
const NewEventPage = lazyPage(async () => (await import('./pages/edit-event.tsx')).NewEventPage);
const EditOrganizerPage = lazyPage(
  async () => (await import('./pages/edit-organizer-page.tsx')).EditOrganizerPage,
);
const PublicOrganizerPage = lazyPage(
  async () => (await import('./pages/organizer-page.tsx')).PublicOrganizerPage,
);
const IntegrationsPage = lazyPage(async () => (await import('./pages/integrations.tsx')).IntegrationsPage);
const ManagedDoorPage = lazyPage(async () => (await import('./pages/managed-door.tsx')).ManagedDoorPage);
const ManagedQueuePage = lazyPage(async () => (await import('./pages/managed-queue.tsx')).ManagedQueuePage);
const ForgotPasswordPage = lazyPage(async () => (await import('./pages/sign-in.tsx')).ForgotPasswordPage);
const LoginPage = lazyPage(async () => (await import('./pages/sign-in.tsx')).LoginPage);
const RegisterPage = lazyPage(async () => (await import('./pages/sign-in.tsx')).RegisterPage);
const ResetPasswordPage = lazyPage(async () => (await import('./pages/sign-in.tsx')).ResetPasswordPage);
const VerifyEmailPage = lazyPage(async () => (await import('./pages/sign-in.tsx')).VerifyEmailPage);
const OrderPage = lazyPage(async () => (await import('./pages/order.tsx')).OrderPage);
const TicketsPage = lazyPage(async () => (await import('./pages/tickets.tsx')).TicketsPage);
const ManagedWaitingListPage = lazyPage(
  async () => (await import('./pages/managed-waiting-list.tsx')).ManagedWaitingListPage,
);
const WaitingListPage = lazyPage(async () => (await import('./pages/waiting-list.tsx')).WaitingListPage);
const NotificationsPage = lazyPage(async () => (await import('./pages/notifications.tsx')).NotificationsPage);
const OrganizerOrderPage = lazyPage(
  async () => (await import('./pages/organizer-order.tsx')).OrganizerOrderPage,
);
const OrganizerPage = lazyPage(async () => (await import('./pages/organizer.tsx')).OrganizerPage);
const StaffedEventsPage = lazyPage(async () => (await import('./pages/organizer.tsx')).StaffedEventsPage);
const PayoutsPage = lazyPage(async () => (await import('./pages/payouts.tsx')).PayoutsPage);
const StopPayoutsPage = lazyPage(async () => (await import('./pages/payouts.tsx')).StopPayoutsPage);
const SalesPage = lazyPage(async () => (await import('./pages/sales.tsx')).SalesPage);
const StaffPage = lazyPage(async () => (await import('./pages/staff.tsx')).StaffPage);
const TransferPage = lazyPage(async () => (await import('./pages/transfer.tsx')).TransferPage);

/** The page behind each address. A new page is a line here, one in paths.ts, and a file in pages/. */
const pages: Record<keyof typeof paths, ComponentType> = {
  events: EventsPage,
  event: EventPage,
  publicOrganizer: PublicOrganizerPage,
  login: LoginPage,
  register: RegisterPage,
  forgotPassword: ForgotPasswordPage,
  resetPassword: ResetPasswordPage,
  verifyEmail: VerifyEmailPage,
  stopPayouts: StopPayoutsPage,
  changeEmail: forUsers(ChangeEmailPage),
  undoEmailChange: UndoEmailChangePage,
  account: forUsers(AccountPage),
  order: OrderPage,
  tickets: forUsers(TicketsPage),
  transfer: TransferPage,
  notifications: forUsers(NotificationsPage),
  waitingList: forUsers(WaitingListPage),
  organizer: forUsers(OrganizerPage),
  newEvent: forUsers(NewEventPage),
  sales: forUsers(SalesPage),
  editEvent: forUsers(EditEventPage),
  attendees: forUsers(AttendeesPage),
  organizerOrder: forUsers(OrganizerOrderPage),
  payouts: forUsers(PayoutsPage),
  integrations: forUsers(IntegrationsPage),
  ownPage: forUsers(EditOrganizerPage),
  codes: forUsers(CodesPage),
  checkIn: CheckInPage,
  staff: forUsers(StaffPage),
  managedWaitingList: forUsers(ManagedWaitingListPage),
  managedQueue: forUsers(ManagedQueuePage),
  managedDoor: forUsers(ManagedDoorPage),
  work: forUsers(StaffedEventsPage),
};
const pageNames = Object.keys(pages) as (keyof typeof paths)[];

export function App() {
  const [error] = useErrorBoundary(console.error);
  if (error) {
    return <BrokenPage error={error} />;
  }
  return (
    <LocationProvider>
      <UserProvider>
        <Header />
        <SessionConfirmation />
        <Pages />
      </UserProvider>
    </LocationProvider>
  );
}

/** The current page. Until the code of the next one is loaded, it stays, and the whole page is marked as busy. */
function Pages() {
  return (
    <Router
      onRouteChange={useArrival()}
      onLoadStart={() => document.body.setAttribute('aria-busy', 'true')}
      onLoadEnd={() => document.body.removeAttribute('aria-busy')}
    >
      {pageNames.map((name) => (
        <Route key={name} path={paths[name]} component={pages[name]} />
      ))}
      <Route default component={NotFoundPage} />
    </Router>
  );
}
