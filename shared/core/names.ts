/** The roles of an account. Roles at an event are separate. */
export const roles = ['USER', 'ORGANIZER', 'ADMIN'] as const;
export type Role = (typeof roles)[number];

export const gatewayNames = ['gateway-a', 'gateway-b', 'gateway-c'] as const;
export type GatewayName = (typeof gatewayNames)[number];
