/** The height of a row, as the style sheet has it for density and pointer. */

const phone = matchMedia('(max-width: 640px)');

/** Heights of the two-line cards of a phone. */
const cards = { queue: 76, job: 68 } as const;

export function rowHeight(kind: keyof typeof cards): number {
  if (phone.matches) return cards[kind];
  return (
    Number.parseInt(getComputedStyle(document.documentElement).getPropertyValue('--row'), 10) || 36
  );
}
