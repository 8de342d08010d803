/** The difference of two texts by lines. */

export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** Lines of the differing middle that are compared; longer ones are shown as replaced. */
const most = 1_500;

export function diffLines(before: string, after: string): readonly DiffLine[] {
  const left = before.split('\n');
  const right = after.split('\n');
  let head = 0;
  while (head < left.length && head < right.length && left[head] === right[head]) head += 1;
  let tail = 0;
  while (
    tail < left.length - head &&
    tail < right.length - head &&
    left.at(-1 - tail) === right.at(-1 - tail)
  ) {
    tail += 1;
  }
  const as = (kind: DiffLine['kind'], lines: readonly string[]): DiffLine[] =>
    lines.map((text) => ({ kind, text }));
  return [
    ...as('same', left.slice(0, head)),
    ...middle(left.slice(head, left.length - tail), right.slice(head, right.length - tail)),
    ...as('same', left.slice(left.length - tail)),
  ];
}

/** A line that is shown, or instead of `count` lines of its kind. */
export interface DiffPart extends DiffLine {
  readonly count?: number;
}

/** Unchanged lines that are shown around each change, and changed lines that are shown at all. */
const [around, shown] = [3, 2_000];

/** The shown part of a difference: the changes with some lines around each, and numbers of lines for the rest. */
export function diffParts(lines: readonly DiffLine[]): readonly DiffPart[] {
  const parts: DiffPart[] = [];
  let changes = 0;
  for (let at = 0; at < lines.length;) {
    const kind = lines[at]?.kind ?? 'same';
    let end = at + 1;
    while (end < lines.length && lines[end]?.kind === kind) end += 1;
    const [first, last] =
      kind === 'same'
        ? [at === 0 ? 0 : around, end === lines.length ? 0 : around]
        : [Math.max(0, shown - changes), 0];
    const left = end - at - first - last;
    if (left <= 1) parts.push(...lines.slice(at, end));
    else {
      parts.push(...lines.slice(at, at + first), { kind, text: '', count: left });
      parts.push(...lines.slice(end - last, end));
    }
    if (kind !== 'same') changes += end - at;
    at = end;
  }
  return parts;
}

/** By the longest common subsequence. */
function middle(left: readonly string[], right: readonly string[]): DiffLine[] {
  const width = right.length + 1;
  if (left.length * width > most * most) {
    return [
      ...left.map((text) => ({ kind: 'removed' as const, text })),
      ...right.map((text) => ({ kind: 'added' as const, text })),
    ];
  }
  const lengths = new Uint32Array((left.length + 1) * width);
  const at = (row: number, column: number): number => lengths[row * width + column] ?? 0;
  for (let row = left.length - 1; row >= 0; row -= 1) {
    for (let column = right.length - 1; column >= 0; column -= 1) {
      lengths[row * width + column] =
        left[row] === right[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const lines: DiffLine[] = [];
  let [row, column] = [0, 0];
  while (row < left.length || column < right.length) {
    const [old, fresh] = [left[row], right[column]];
    if (old !== undefined && old === fresh) {
      lines.push({ kind: 'same', text: old });
      row += 1;
      column += 1;
    } else if (
      old !== undefined &&
      (fresh === undefined || at(row + 1, column) >= at(row, column + 1))
    ) {
      lines.push({ kind: 'removed', text: old });
      row += 1;
    } else if (fresh !== undefined) {
      lines.push({ kind: 'added', text: fresh });
      column += 1;
    }
  }
  return lines;
}
