/** Case folding, applied to folded columns, search terms and values of `ilike`. */

/** The letter that folding replaces; no folded text contains it. */
export const finalSigma = 'ς';

/**
 * Folds text for case-insensitive comparison: Unicode NFC, then `String.prototype.toLowerCase`, a final sigma to `σ`,
 * then NFC again.
 * Accents are kept: `É` folds to `é`, never to `e`. The result does not depend on the locale of the process.
 * An application stores it in the `foldedField` of a field on every write.
 *
 * The second NFC makes folding idempotent, `foldText(foldText(x)) === foldText(x)`: some letters have a composed
 * form only in lower case (`J` + caron becomes `j` + caron, which composes to `ǰ`).
 *
 * Consequences of Unicode lower-casing:
 * - `Σ` and `ς` become `σ`: the end of a search term is not the end of a word, and `ΟΔΥΣ` is found in `ΟΔΥΣΣΕΥΣ`;
 * - `İ` becomes `i` followed by a combining dot: it contains `i` but does not equal it; `ı` is unchanged;
 * - `ß` is unchanged (it does not equal `ss`), and `ẞ` becomes `ß`.
 */
export function foldText(text: string): string {
  return text.normalize('NFC').toLowerCase().replaceAll(finalSigma, 'σ').normalize('NFC');
}
