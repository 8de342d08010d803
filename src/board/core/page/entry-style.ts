/** Style of the entry page. */

export const entryStyle = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 70rem; padding: 1rem; }
header { display: flex; align-items: baseline; gap: 1rem; flex-wrap: wrap; }
h1 { margin: 0; font-size: 1.4rem; flex: 1; }
main { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; margin: 1rem 0; }
th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid color-mix(in srgb, currentColor 20%, transparent); }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
button { font: inherit; color: LinkText; background: none; border: 0; padding: 0; cursor: pointer; text-align: left; }
button:hover, button[aria-pressed=true] { text-decoration: underline; }
nav { display: flex; gap: .8rem; flex-wrap: wrap; }
#problem { color: light-dark(#a40000, #ff9a9a); }
`;
