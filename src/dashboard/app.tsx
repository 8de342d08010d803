/** The providers of the dashboard and its router. */

import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

import { queries } from './api/queries.ts';
import { showLanguage, wantedLanguage } from './i18n/index.ts';
import { startLoop } from './live/loop.ts';
import { startStreams } from './live/stream.ts';
import { router } from './router.tsx';
import { subscribe } from './settings.ts';

export function App() {
  const [language, setLanguage] = useState(wantedLanguage);
  useEffect(() => {
    startLoop(queries);
    startStreams(queries);
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
