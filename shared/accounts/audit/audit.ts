import * as z from 'zod';

/**
 * The details of each action. They contain ids, codes, states and amounts, but no secrets, bank accounts or
 * e-mail addresses.
 */
interface AuditDetails {
  'refund-requested': { orderId: string; amount: string; currency: string };
  'refund-completed': { orderId: string; amount: string; currency: string; transactionId?: string };
  'refund-failed': { orderId: string; amount: string; currency: string };
  'tickets-reissued': { orderId: string };
  'contract-bound': { chainId: string; address: string; organizerId: string; wallet?: string };
  'contract-released': { chainId: string; address: string; organizerId: string };
  'event-changed': {
    status?: string;
    statusBefore?: string;
    contract?: string;
    contractBefore?: string;
  };
  'code-created': CodeDetails;
  'code-changed': CodeDetails;
  'code-deleted': { code: string };
  /** Without `userId`, no account had confirmed the invited address. */
  'staff-added': { userId?: string; role: string };
  'staff-changed': { userId?: string; role: string; before: string };
  'staff-removed': { userId?: string; role: string };
  /** Without its code, by staff who found the order. */
  'seat-admitted': { orderId: string; number: string };
  'admission-undone': { orderId: string; number: string; checkedInAt: string };
  'kyc-changed': { userId: string; status: string; before: string };
  'passkey-refused': { userId: string; passkeyId: string };
  'factors-reset': { userId: string };
  'email-changed': { userId: string };
  'email-restored': { userId: string };
  'person-erased': { userId: string };
  'key-created': { keyId: string; scopes: string };
  'key-deleted': { keyId: string };
  'role-granted': { userId: string; role: string; before: string };
  'payout-requested': { payoutId: string; organizerId: string; amount: string; currency: string };
  'payout-completed': { payoutId: string; organizerId: string; amount: string; currency: string };
  'payout-failed': { payoutId: string; organizerId: string; amount: string; currency: string };
  'balance-settled': { organizerId: string; amount: string; currency: string; transactionId: string };
}
/** A code, with the fields that were set. A changed code also has their values before, e.g. `value` and `valueBefore`. */
type CodeDetails = { code: string } & Record<string, string>;
export type AuditAction = keyof AuditDetails;

export const auditActions = [
  'refund-requested',
  'refund-completed',
  'refund-failed',
  'tickets-reissued',
  'contract-bound',
  'contract-released',
  'event-changed',
  'code-created',
  'code-changed',
  'code-deleted',
  'staff-added',
  'staff-changed',
  'staff-removed',
  'seat-admitted',
  'admission-undone',
  'kyc-changed',
  'passkey-refused',
  'factors-reset',
  'email-changed',
  'email-restored',
  'person-erased',
  'key-created',
  'key-deleted',
  'role-granted',
  'payout-requested',
  'payout-completed',
  'payout-failed',
  'balance-settled',
] as const satisfies AuditAction[];

/**
 * The kinds of actors: an account (`user`, `admin`), a payment gateway's webhook, an operator's command, the service
 * itself (`system`).
 */
export const actorTypes = ['user', 'admin', 'gateway', 'operator', 'system'] as const;

const actor = z.object({ type: z.enum(actorTypes), userId: z.string().optional() });
/** Who made a change. */
export type AuditActor = z.infer<typeof actor>;

/** A recorded change. */
const auditEntry = z.object({
  id: z.string(),
  at: z.string(),
  action: z.enum(auditActions),
  by: actor,
  eventId: z.string().optional(),
  details: z.record(z.string(), z.string()),
});
export type AuditEntry = z.infer<typeof auditEntry>;

/** Parses a stored item as an entry. @throws ZodError for any other item */
export function toAuditEntry(item: unknown): AuditEntry {
  return auditEntry.parse(item);
}

/** A change to record; `details` depends on the action. */
export type AuditChange = {
  [Action in AuditAction]: {
    action: Action;
    by: AuditActor;
    /** The event whose organizer also sees the change. */
    eventId?: string;
    details: AuditDetails[Action];
    /** ISO 8601 in UTC; default is now. */
    at?: string;
  };
}[AuditAction];

export const systemActor: AuditActor = { type: 'system' };
export const gatewayActor: AuditActor = { type: 'gateway' };
export const operatorActor: AuditActor = { type: 'operator' };

/** Returns the caller of a request as an actor. */
export function toAuditActor({ userId, role }: { userId: string; role?: string }): AuditActor {
  return { type: role === 'ADMIN' ? 'admin' : 'user', userId };
}
