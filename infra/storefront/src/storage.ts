/** Accesses the browser's storage. Returns undefined when the browser allows no storage, or its storage is full. */
export function tryStorage<Result>(access: () => Result): Result | undefined {
  try {
    return access();
  } catch {
    return undefined;
  }
}
