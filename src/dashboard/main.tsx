/** Starts the dashboard. */

import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

import './styles/tokens.css';
import './styles/base.css';
import './styles/blocks.css';
import { loadErrorTexts } from './api/error-text.ts';
import { App } from './app.tsx';
import { showLanguage, wantedLanguage } from './i18n/index.ts';
import { startKeys } from './keys/keys.ts';
import { applyTheme } from './theme.ts';

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
