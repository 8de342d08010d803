/** Starts the dashboard. */

import { StrictMode, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';

import './styles/tokens.css';
import './styles/base.css';
import './styles/blocks.css';
import { loadErrorTexts } from './api/error-text.ts';
import { showLanguage, wantedLanguage } from './i18n/index.ts';
import { startKeys } from './keys/keys.ts';
import { queries } from './api/queries.ts';
import { patient } from './kit/patient.ts';
import { startLoop } from './live/loop.ts';
import { router } from './router.tsx';
import { subscribe } from './settings.ts';
import { uiConfig } from './config.ts';

/** Applies the host's colours; both schemes become one `light-dark()` value. */
function applyTheme(): void {
  const { light = {}, dark = {} } = uiConfig.theme ?? {};
  const { style } = document.documentElement;
  for (const token of new Set([...Object.keys(light), ...Object.keys(dark)])) {
    const [ofLight, ofDark] = [light[token] ?? dark[token], dark[token] ?? light[token]];
    style.setProperty(`--${token}`, `light-dark(${ofLight}, ${ofDark})`);
  }
}

const loadStreams = patient(() => import('./live/stream.ts'));

function App() {
  const [language, setLanguage] = useState(wantedLanguage);
  useEffect(() => {
    startLoop(queries);
    void loadStreams().then(({ startStreams }) => startStreams(queries));
    return subscribe(() => {
      const wanted = wantedLanguage();
      void showLanguage(wanted).then(() => setLanguage(wanted));
    });
  }, []);
  return (
    <QueryClientProvider client={queries}>
      <RouterProvider key={language} router={router} />
    </QueryClientProvider>
  );
}

applyTheme();
startKeys();

// Buttons that open a dialog are there when the texts are.
await showLanguage(wantedLanguage()).catch(() => undefined);

const at = document.getElementById('app');
if (at) {
  createRoot(at).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}

// Loaded before something fails, because then it may not load any more.
void loadErrorTexts();
