/** Lines of a log with the colours that terminals show; other sequences of terminals are left out. */

const names = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const;

export interface Piece {
  readonly text: string;
  readonly colour?: (typeof names)[number] | undefined;
  readonly bold?: boolean;
}

/** A sequence that controls a terminal; of those that set colours, the first group has the codes. */
const sequence =
  // oxlint-disable-next-line no-control-regex
  /\u001B(?:\[([\d;]*)m|\[[\d;?]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)|[@-Z\\-_])/g;

/** The colour that a code sets; `null` for one that sets another thing. Bright colours are as the usual ones. */
function colourOf(code: number): Piece['colour'] | null {
  if (code === 39) return undefined;
  const index = code >= 90 ? code - 90 : code - 30;
  return names[index] ?? null;
}

/** How the text goes on after the codes of a sequence. */
function after(before: Omit<Piece, 'text'>, codes: readonly number[]): Omit<Piece, 'text'> {
  let now = before;
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] ?? 0;
    if (code === 0) now = {};
    else if (code === 1 || code === 22) now = { ...now, bold: code === 1 };
    else if (code === 38 || code === 48) {
      // One of 256 colours, of which the first are the usual ones, or one of all.
      const [kind, index = 0] = codes.slice(at + 1);
      at += kind === 5 ? 2 : 4;
      if (code === 38 && kind === 5) now = { ...now, colour: names[index < 16 ? index % 8 : 7] };
    } else {
      const colour = colourOf(code);
      if (colour !== null) now = { ...now, colour };
    }
  }
  return now;
}

/** The pieces of a line. */
export function piecesOf(line: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let [from, look]: [number, Omit<Piece, 'text'>] = [0, {}];
  for (const found of line.matchAll(sequence)) {
    if (found.index > from) pieces.push({ ...look, text: line.slice(from, found.index) });
    from = found.index + found[0].length;
    if (found[1] !== undefined) look = after(look, found[1].split(';').map(Number));
  }
  if (from < line.length) pieces.push({ ...look, text: line.slice(from) });
  return pieces;
}

/** The line as it is read. */
export const plainOf = (line: string): string => line.replaceAll(sequence, '');
