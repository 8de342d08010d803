/** A strip of tabs or links that scrolls sideways: the chosen one is in sight, at every width and when another is chosen. */

const chosen = ':is([aria-current], [aria-pressed="true"], [data-status="active"])';

/** Refers to the strip. */
export function strip(at: HTMLElement | null): (() => void) | undefined {
  if (!at) return undefined;
  const show = () => {
    const [inside, around] = [at.querySelector(chosen), at].map((each) =>
      each?.getBoundingClientRect(),
    );
    if (!inside || !around || (inside.left >= around.left && inside.right <= around.right)) return;
    at.scrollBy(inside.left - around.left - (around.width - inside.width) / 2, 0);
  };
  const changes = new MutationObserver(show);
  const attributeFilter = ['aria-current', 'aria-pressed', 'data-status'];
  changes.observe(at, { subtree: true, childList: true, attributeFilter });
  const sizes = new ResizeObserver(show);
  sizes.observe(at);
  return () => {
    changes.disconnect();
    sizes.disconnect();
  };
}
