/** Checks the names of time zones. */

/** Whether the runtime knows the time zone; some libraries accept any text and fail later. */
export function isTimeZone(name: string): boolean {
  try {
    Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
