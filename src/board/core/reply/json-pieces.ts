/** The JSON text of a large value in pieces, so that its parts can be written one after another. */

/** Levels of objects and arrays that are divided; what is deeper is one piece. */
const mostLevels = 6;

/** Pieces whose concatenation is the text of `JSON.stringify`; none for a value that has no text. */
export function* jsonPieces(value: unknown, levels = mostLevels): Generator<string, void> {
  const isArray = Array.isArray(value);
  if (levels === 0 || (!isArray && !isPlain(value))) {
    const text: string | undefined = JSON.stringify(value);
    if (text !== undefined) yield text;
    return;
  }
  let before = isArray ? '[' : '{';
  yield before;
  before = '';
  for (const [name, member] of Object.entries(isArray ? Array.from(value) : value)) {
    const hasText =
      member !== undefined && typeof member !== 'function' && typeof member !== 'symbol';
    if (!isArray && !hasText) continue;
    yield isArray ? before : `${before}${JSON.stringify(name)}:`;
    if (hasText) yield* jsonPieces(member, levels - 1);
    else yield 'null';
    before = ',';
  }
  yield isArray ? ']' : '}';
}

/** Whether the text of an object is that of its members. A number with all its digits is a frozen object. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && !Object.isFrozen(value);
}
