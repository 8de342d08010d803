/** The one case folding of Sluice: what a folded column holds and what a search term becomes. */

/**
 * Folds text for comparison without case: Unicode NFC, then `String.prototype.toLowerCase`, then NFC
 * once more (`spec/3`, "Folded and order columns"). Accents stay: `É` folds to `é`, never to `e`. The
 * result does not depend on the locale of the process. Write it into a `foldedField` on every write.
 *
 * The second NFC makes the folding stable, `foldText(foldText(x)) === foldText(x)`: some letters have
 * a composed form in lower case alone (`J` + caron becomes `j` + caron, which composes to `ǰ`).
 *
 * Consequences of lower-casing as Unicode defines it, which are kept on purpose:
 * - a capital sigma at the end of a word becomes `ς`, elsewhere `σ`; the two stay different letters;
 * - `İ` becomes `i` followed by a combining dot, so that it contains `i` but does not equal it; the
 *   dotless `ı` stays itself;
 * - `ß` stays `ß` (it does not equal `ss`), and `ẞ` becomes `ß`.
 */
export function foldText(text: string): string {
  return text.normalize('NFC').toLowerCase().normalize('NFC');
}
