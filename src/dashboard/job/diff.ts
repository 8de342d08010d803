/** The difference of two texts by lines, with numbers in place of most of what is the same. */

import { diffArrays } from 'diff';

/** A run of lines. */
export interface Change {
  readonly kind: 'same' | 'removed' | 'added';
  readonly lines: readonly string[];
}

/** Changed lines up to which texts are compared; others are shown as replaced. */
const most = 3_000;

export function diffLines(before: string, after: string): readonly Change[] {
  const [left, right] = [before.split('\n'), after.split('\n')];
  const changes = diffArrays(left, right, { maxEditLength: most });
  if (!changes) {
    return [
      { kind: 'removed', lines: left },
      { kind: 'added', lines: right },
    ];
  }
  return changes.map(({ added, removed, value }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    lines: value,
  }));
}

/** A line that is shown, or instead of `count` lines of its kind. */
export interface DiffPart {
  readonly kind: Change['kind'];
  readonly text: string;
  readonly count?: number;
}

/** Unchanged lines that are shown around each change, and changed lines that are shown at all. */
const [around, shown] = [3, 2_000];

/** The shown part of a difference: the changes with some lines around each, and numbers of lines for the rest. */
export function diffParts(changes: readonly Change[]): readonly DiffPart[] {
  let changed = 0;
  return changes.flatMap(({ kind, lines }, at) => {
    const [first, last] =
      kind === 'same'
        ? [at === 0 ? 0 : around, at === changes.length - 1 ? 0 : around]
        : [Math.max(0, shown - changed), 0];
    if (kind !== 'same') changed += lines.length;
    const all = lines.map((text) => ({ kind, text }));
    const count = lines.length - first - last;
    if (count <= 1) return all;
    return [...all.slice(0, first), { kind, text: '', count }, ...all.slice(lines.length - last)];
  });
}
