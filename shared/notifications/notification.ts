/** A message to a user, shown in the application. Times are ISO 8601 in UTC. */
export interface Notification {
  id: string;
  userId: string;
  title: string;
  message: string;
  type: 'SUCCESS' | 'WARNING' | 'INFO';
  read: boolean;
  createdAt: string;
  /** The order it is about. */
  orderId?: string;
}
