/** Runs before the first paint: the person's theme and density. */
try {
  const s = JSON.parse(localStorage.getItem('sluice:settings') || '{}'),
    d = document.documentElement.dataset;
  if (s.theme === 'light' || s.theme === 'dark') d.theme = s.theme;
  if (s.density === 'dense') d.density = 'dense';
} catch {}
