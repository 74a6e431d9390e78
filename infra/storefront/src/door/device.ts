const deviceKey = 'boxoffice.device';

/** Returns the name of this device in conflicts: random, and the same as long as the browser keeps its data. */
export function deviceId(): string {
  const known = localStorage.getItem(deviceKey);
  if (known) return known;
  const created = `device-${crypto.randomUUID().slice(0, 8)}`;
  localStorage.setItem(deviceKey, created);
  return created;
}
