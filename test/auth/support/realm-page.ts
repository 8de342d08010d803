/** Pages of the realm. */

/** A page that a browser shows and a test can fill in. */
export function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><body>${body}</body></html>`;
}
