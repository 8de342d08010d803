/** The name of an error: its message without what differs from job to job. */

import { cutText } from '../cut-text.ts';

/** Characters of a reason that are kept. */
export const reasonLength = 500;

/** Characters of a reason that are read for its name, and the most of a name: ids of other lengths move no end of it. */
const [readLength, nameLength] = [1_000, 300];

/** The parts that are taken out of a reason, in order. */
const variable: readonly (readonly [RegExp, string])[] = [
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '<id>'],
  [/\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'<>)]{1,500}/gi, '<url>'],
  [/[\w.+-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8}/gi, '<email>'],
  [/(?:[a-z]:)?[\\/][\w.@-]{1,100}(?:[\\/][\w.@-]{0,100}){1,30}/gi, '<path>'],
  [/\b(?=[0-9a-f]*\d)[0-9a-f]{8,}\b/gi, '<id>'],
  [/\d+(?:[.,:]\d+)*/g, '<n>'],
  [/(?<!\w)(["'`])(?!<path>\1)(?:(?!\1).){1,300}\1(?!\w)/g, '<text>'],
];

/** The first line of a reason without digits, ids, paths, addresses and quoted parts. */
export function normalizedError(reason: string): string {
  const [line = ''] = reason.slice(0, readLength).split('\n', 1);
  const name = variable.reduce(
    (text, [pattern, word]) => text.replaceAll(pattern, word),
    line.trim(),
  );
  return cutText(name, nameLength);
}

/** The longest part of a name that is in each of its reasons as it is; empty where there is none. */
export const constantPart = (name: string): string =>
  name
    // The end of a name that was cut may be the beginning of what stands for a part.
    .replace(/<[a-z]{0,5}$/, '')
    .split(/<(?:text|id|url|email|path|n)>/)
    .map((part) => part.trim())
    .reduce((longest, part) => (part.length > longest.length ? part : longest), '');
