/** Starts the playground: Sluice and SQLite in the browser, over tables and rules that a person writes. */

import { createRoot } from 'react-dom/client';

import '../../src/dashboard/styles/tokens.css';
import '../../src/dashboard/styles/base.css';
import { showTexts } from '../../demo/page/i18n/index.ts';
import { readLink } from './address.ts';
import { App } from './app.tsx';

const [opened] = await Promise.all([readLink(location.hash), showTexts('en')]);
const at = document.getElementById('app');
if (at) createRoot(at).render(<App opened={opened} />);
