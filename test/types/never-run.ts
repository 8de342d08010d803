/** False: refused calls are for the compiler only, and would throw. */

export const neverRun = (): boolean => false;
