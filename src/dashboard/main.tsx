/** Starts the dashboard. */

import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

import './styles/tokens.css';
import './styles/base.css';
import { App } from './app.tsx';
import { addTexts, showLanguage, wantedLanguage } from './i18n/index.ts';
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

// Texts of errors are needed later, if at all.
void import('./i18n/messages/en/errors.json').then(({ default: texts }) => addTexts(texts));
