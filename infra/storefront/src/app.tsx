import type { ComponentType } from 'preact';
import { useErrorBoundary } from 'preact/hooks';
import { LocationProvider, Route, Router } from 'preact-iso';
import { Header } from './components/header.tsx';
import { Page } from './components/page.tsx';
import { Failure } from './components/resource.tsx';
import { AccountPage } from './pages/account.tsx';
import { AttendeesPage } from './pages/attendees.tsx';
import { CheckInPage } from './pages/check-in.tsx';
import { CodesPage } from './pages/codes.tsx';
import { EditEventPage, NewEventPage } from './pages/edit-event.tsx';
import { EventPage } from './pages/event.tsx';
import { EventsPage } from './pages/events.tsx';
import { NotFoundPage } from './pages/not-found.tsx';
import { NotificationsPage } from './pages/notifications.tsx';
import { OrderPage } from './pages/order.tsx';
import { OrganizerPage, StaffedEventsPage } from './pages/organizer.tsx';
import { OrganizerOrderPage } from './pages/organizer-order.tsx';
import { PayoutsPage } from './pages/payouts.tsx';
import { SalesPage } from './pages/sales.tsx';
import {
  ForgotPasswordPage,
  LoginPage,
  RegisterPage,
  ResetPasswordPage,
  VerifyEmailPage,
} from './pages/sign-in.tsx';
import { StaffPage } from './pages/staff.tsx';
import { TicketsPage } from './pages/tickets.tsx';
import { TransferPage } from './pages/transfer.tsx';
import { paths } from './paths.ts';
import { forUsers, UserProvider } from './session/user.tsx';

/** The page behind each address. A new page is a line here, one in paths.ts, and a file in pages/. */
const pages: Record<keyof typeof paths, ComponentType> = {
  events: EventsPage,
  event: EventPage,
  login: LoginPage,
  register: RegisterPage,
  forgotPassword: ForgotPasswordPage,
  resetPassword: ResetPasswordPage,
  verifyEmail: VerifyEmailPage,
  account: forUsers(AccountPage),
  order: OrderPage,
  tickets: forUsers(TicketsPage),
  transfer: forUsers(TransferPage),
  notifications: forUsers(NotificationsPage),
  organizer: forUsers(OrganizerPage),
  newEvent: forUsers(NewEventPage),
  sales: forUsers(SalesPage),
  editEvent: forUsers(EditEventPage),
  attendees: forUsers(AttendeesPage),
  organizerOrder: forUsers(OrganizerOrderPage),
  payouts: forUsers(PayoutsPage),
  codes: forUsers(CodesPage),
  checkIn: forUsers(CheckInPage),
  staff: forUsers(StaffPage),
  work: forUsers(StaffedEventsPage),
};
const pageNames = Object.keys(pages) as (keyof typeof paths)[];

export function App() {
  const [error] = useErrorBoundary(console.error);
  if (error) {
    return (
      <Page title="Error">
        <Failure error={error} onRetry={() => location.reload()} />
      </Page>
    );
  }
  return (
    <LocationProvider>
      <UserProvider>
        <Header />
        <Router>
          {pageNames.map((name) => (
            <Route key={name} path={paths[name]} component={pages[name]} />
          ))}
          <Route default component={NotFoundPage} />
        </Router>
      </UserProvider>
    </LocationProvider>
  );
}
