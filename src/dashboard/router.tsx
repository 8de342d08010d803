/** The screens by path. All but the overview are loaded when they are first visited. */

import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Link,
} from '@tanstack/react-router';

import { loadErrorTexts } from './api/error-text.ts';
import { nameOfPath, pathName } from './api/path-name.ts';
import { basePath } from './config.ts';
import { patient } from './kit/patient.ts';
import { Overview } from './overview/overview.tsx';
import { Shell } from './shell/shell.tsx';
import { parseView, printView } from './view.ts';
import type { View } from './view.ts';
import { t } from './i18n/index.ts';
import { Empty } from './kit/panel.tsx';
import { Button } from './kit/button.tsx';

function ScreenFailed({ error }: { readonly error: unknown }) {
  return (
    <Empty icon="warn" title={t('screen.failed')}>
      <code>{error instanceof Error ? error.message : ''}</code>
      <Button icon="retry" onClick={() => location.reload()}>
        {t('error.retry')}
      </Button>
    </Empty>
  );
}

function Missing() {
  return (
    <main>
      <Empty title={t('missing.title')}>
        <Link to="/">{t('missing.back')}</Link>
      </Empty>
    </main>
  );
}

const root = createRootRoute({
  component: Shell,
  notFoundComponent: Missing,
  validateSearch: (search: Record<string, unknown>) => search as View,
});

/** Names of queues and jobs in the address of a page. */
const named =
  (name: (text: string) => string) =>
  (params: object): object =>
    Object.fromEntries(Object.entries(params).map(([key, text]) => [key, name(String(text))]));
const names: object = { params: { parse: named(nameOfPath), stringify: named(pathName) } };

const screen = <Path extends string>(
  path: Path,
  load: () => Promise<{ Screen: () => React.ReactNode }>,
) =>
  createRoute({
    getParentRoute: () => root,
    path,
    ...names,
    component: lazyRouteComponent(
      patient(async () => {
        const [loaded] = await Promise.all([load(), loadErrorTexts()]);
        return loaded;
      }),
      'Screen',
    ),
    errorComponent: ScreenFailed,
  });

const schedules = () => import('./schedules/screen.tsx');

const tree = root.addChildren([
  createRoute({
    getParentRoute: () => root,
    path: '/',
    component: Overview,
    errorComponent: ScreenFailed,
  }),
  screen('/queue/$queueName', () => import('./queue/screen.tsx')),
  screen('/queue/$queueName/$jobId', () => import('./job/screen.tsx')),
  screen('/metrics-history', () => import('./metrics/screen.tsx')),
  screen('/schedules', schedules),
  screen('/job-schedulers', schedules),
  screen('/errors', () => import('./inbox/screen.tsx')),
  screen('/workers', () => import('./workers/screen.tsx')),
  screen('/warnings', () => import('./warnings/screen.tsx')),
]);

export const router = createRouter({
  routeTree: tree,
  basepath: basePath === '' ? '/' : basePath,
  parseSearch: parseView,
  stringifySearch: printView,
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 30_000,
  scrollRestoration: true,
  trailingSlash: 'preserve',
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
