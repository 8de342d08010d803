/** The name of an error: its message without what differs from job to job. */

/** Characters of a reason that are kept. */
export const reasonLength = 500;

/** The parts that are taken out of a reason, in order. */
const variable: readonly (readonly [RegExp, string])[] = [
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '<id>'],
  [/\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'<>)]{1,500}/gi, '<url>'],
  [/(?:[a-z]:)?[\\/][\w.@-]{1,100}(?:[\\/][\w.@-]{0,100}){1,30}/gi, '<path>'],
  [/\b(?=[0-9a-f]*\d)[0-9a-f]{8,}\b/gi, '<id>'],
  [/\d+(?:[.,:]\d+)*/g, '<n>'],
];

/** The first line of a reason without digits, ids and paths. */
export function normalizedError(reason: string): string {
  const [line = ''] = reason.slice(0, reasonLength).split('\n', 1);
  return variable.reduce((text, [pattern, name]) => text.replaceAll(pattern, name), line.trim());
}
