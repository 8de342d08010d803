/** Stands for unusual stored instants in the build for browsers: rows are presented on servers. */

export const isRequestableEpoch = (): boolean => true;
export const extendedEpoch = (): null => null;
export const extendedDate = (text: string): string => text;
export const extendedInstant = extendedDate;
