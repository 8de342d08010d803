/** Stands for calendar arithmetic in the build for browsers: rows are presented on servers, so size counts here. */

/** `YYYY-MM-DDTHH:MM:SS.sssZ` of an instant in the years 0001 to 9999. */
export const isoFromEpoch = (milliseconds: number): string => new Date(milliseconds).toISOString();
