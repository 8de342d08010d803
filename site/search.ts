/** The words of the site's local search. */

/**
 * A word as the index has it; `null` for words that say nothing about the subject of a question. The site serialises this
 * function for browsers: it uses nothing outside of itself.
 */
export function processTerm(term: string): string | null {
  const word = term.toLowerCase();
  const ignored =
    ' a again all also an and another any are as at be but by can do does for from get has have how i in into is it its' +
    ' me must my need no not of on one only or other others own put so than that the their them then there they this to' +
    ' use was way what when where which who why will with you your ';
  return ignored.includes(` ${word} `) ? null : word;
}
