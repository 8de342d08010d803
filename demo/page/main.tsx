/** Starts the page of the demo: list requests, built by hand, and their answers. */

import { createRoot } from 'react-dom/client';

import '../../src/dashboard/styles/tokens.css';
import '../../src/dashboard/styles/base.css';
import { wantedLanguage } from '../../src/dashboard/i18n/index.ts';
import { startKeys } from '../../src/dashboard/keys/keys.ts';
import { App } from './app.tsx';
import { fetchMeta } from './data.ts';
import { showTexts } from './i18n/index.ts';

startKeys();
const [meta] = await Promise.all([fetchMeta(), showTexts(wantedLanguage())]);
const at = document.getElementById('app');
if (at) createRoot(at).render(<App meta={meta} />);
