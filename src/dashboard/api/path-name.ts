/**
 * Names as steps of a path. `.` and `..` mean another path to browsers, servers and proxies, however they are encoded;
 * therefore such names, and those that look like one in this form, are encoded once more than others.
 */

/** The name as a step of a path before its encoding. */
export const pathName = (name: string): string =>
  /^(?:\.|%(?:25)*2e){1,2}$/i.test(name)
    ? name.replaceAll('%', '%25').replaceAll('.', '%2E')
    : name;

/** The name of a decoded step. */
export const nameOfPath = (step: string): string =>
  /^(?:%(?:25)*2e){1,2}$/i.test(step) ? decodeURIComponent(step) : step;

/** The encoded step. */
export const pathStep = (name: string): string => encodeURIComponent(pathName(name));
