/**
 * The path of each page. A server answers these paths with index.html, and any other with 404.html and the status 404.
 * The first path that matches applies.
 */
export const paths = {
  events: '/',
  event: '/events/:id',
  publicOrganizer: '/o/:slug',
  login: '/login',
  register: '/register',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  verifyEmail: '/verify-email',
  stopPayouts: '/stop-payouts',
  changeEmail: '/change-email',
  undoEmailChange: '/undo-email-change',
  account: '/account',
  order: '/orders/:id',
  tickets: '/tickets',
  transfer: '/transfers/:token',
  notifications: '/notifications',
  waitingList: '/waiting-list',
  organizer: '/organizer',
  newEvent: '/organizer/events/new',
  sales: '/organizer/events/:id',
  editEvent: '/organizer/edit/:id',
  attendees: '/organizer/attendees/:id',
  organizerOrder: '/organizer/orders/:id',
  payouts: '/organizer/payouts',
  integrations: '/organizer/integrations',
  ownPage: '/organizer/page',
  codes: '/organizer/codes/:id',
  checkIn: '/organizer/check-in/:id',
  staff: '/organizer/staff/:id',
  managedWaitingList: '/organizer/waiting-list/:id',
  managedQueue: '/organizer/queue/:id',
  managedDoor: '/organizer/door/:id',
  /** The events at which the user is on the staff. */
  work: '/work',
} as const;

/** The path of the page in the frame of `<boxoffice-tickets>`: embed.html, the only page that other sites may frame. */
export const embedPath = '/embed/:id';

/** Returns whether the page of a path works without network, once it was open on this device. */
export const worksOffline = (path: string): boolean => path.startsWith('/organizer/check-in/');
