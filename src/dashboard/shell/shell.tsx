/** The frame of every screen: where one is, how current it is, and the way to everything else. */

import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useNavigate } from '@tanstack/react-router';
import { Suspense, useState, useSyncExternalStore } from 'react';

import { allBoards, ownBoard, useBoard } from '../api/boards.ts';
import { person } from '../api/user.ts';
import { uiConfig } from '../config.ts';
import { t } from '../i18n/index.ts';
import { keyLabels, useActions } from '../keys/keys.ts';
import { Button, IconButton } from '../kit/button.tsx';
import { Icon } from '../kit/icon.tsx';
import { copyText } from '../kit/copy.ts';
import { Logo } from '../kit/logo.tsx';
import { strip } from '../live/strip.ts';
import { readNow, togglePause, useLive } from '../live/loop.ts';
import { nextDensity, nextTheme, nextZone, toggleSidebar, useSettings } from '../settings.ts';
import { targetOf, useSavedViews } from '../views/saved-views.ts';
import { SignedOut } from './signed-out.tsx';
import { part } from '../kit/patient.ts';
import { age } from '../format/time.ts';
import { useClock } from '../live/clock.ts';
import { dismiss, useNotices } from '../kit/notices.ts';
import type { Notice } from '../kit/notices.ts';
import style from './shell.module.css';

const Palette = part(() => import('./palette.tsx'), 'Palette');
const Help = part(() => import('./help.tsx'), 'Help');
const ViewsDialog = part(() => import('../views/views-dialog.tsx'), 'ViewsDialog');
const Sidebar = part(() => import('./sidebar.tsx'), 'Sidebar');
const SettingsDialog = part(() => import('./settings-dialog.tsx'), 'SettingsDialog');

/** Links of earlier boards name it after the engine; both show the schedules of all boards. */
const schedulesPath = ownBoard.engine === 'kvq' ? '/job-schedulers' : '/schedules';

/** Screens beside the overview, in the order of the header. */
const screens = [
  { id: 'errors', keys: 'g e', to: '/errors', shown: true },
  { id: 'metrics', keys: 'g m', to: '/metrics-history', shown: uiConfig.hasHistoryProvider },
  { id: 'schedules', keys: 'g s', to: schedulesPath, shown: true },
  { id: 'workers', keys: 'g w', to: '/workers', shown: uiConfig.showWorkers !== false },
  {
    id: 'warnings',
    keys: 'g n',
    to: '/warnings',
    shown: allBoards.some(({ engine }) => engine === 'pgq'),
  },
] as const;
const shownScreens = screens.filter(({ shown }) => shown);

/** The documentation of a board's routes. */
const documentation = 'https://github.com/sluicejs/sluice/blob/main/docs/board.md#http-api';

/** Where there is room for the queues at the side; the style sheets have the same width. */
const wide = matchMedia('(min-width: 1200px)');

function onWide(listener: () => void): () => void {
  wide.addEventListener('change', listener);
  return () => wide.removeEventListener('change', listener);
}

type Layer = 'palette' | 'help' | 'settings' | 'views' | undefined;

export function Shell() {
  const [layer, open] = useState<Layer>();
  const navigate = useNavigate();
  const { data: user } = useQuery(person(ownBoard));
  const { theme, zone, sidebar } = useSettings();
  const isWide = useSyncExternalStore(onWide, () => wide.matches);
  const openApi = useBoard().client.url('/api/openapi.json');

  useActions([
    {
      id: 'find',
      title: t('find.title'),
      keys: 'mod+k, /',
      group: 'go',
      run: () => open('palette'),
      inText: false,
      quiet: true,
    },
    {
      id: 'overview',
      title: t('nav.overview'),
      keys: 'g o',
      group: 'go',
      run: () => void navigate({ to: '/' }),
    },
    ...shownScreens.map(({ id, keys, to }) => ({
      id,
      title: t(`nav.${id}`),
      keys,
      group: 'go' as const,
      run: () => void navigate({ to }),
    })),
    {
      id: 'reference',
      title: t('nav.reference'),
      keys: 'g r',
      group: 'go',
      run: () => location.assign(openApi),
    },
    {
      id: 'documentation',
      title: t('nav.documentation'),
      group: 'go',
      run: () => location.assign(documentation),
    },
    { id: 'pause-live', title: t('live.toggle'), keys: 'space', group: 'view', run: togglePause },
    { id: 'read-now', title: t('live.now'), group: 'view', run: readNow },
    { id: 'theme', title: t('settings.nextTheme'), keys: 't', group: 'view', run: nextTheme },
    {
      id: 'sidebar',
      title: t('sidebar.toggle'),
      keys: 'b',
      group: 'view',
      run: isWide ? toggleSidebar : undefined,
    },
    {
      id: 'copy-link',
      title: t('queue.copyLink'),
      keys: 'shift+y',
      group: 'view',
      run: () => void copyText(location.href, document.title),
    },
    { id: 'zone', title: t('settings.nextZone'), group: 'view', run: nextZone },
    { id: 'density', title: t('settings.nextDensity'), group: 'view', run: nextDensity },
    { id: 'settings', title: t('settings.title'), group: 'view', run: () => open('settings') },
    {
      id: 'views',
      title: t('views.title'),
      keys: 'v',
      group: 'view',
      run: () => open('views'),
    },
    ...useSavedViews().flatMap((view) => {
      const target = targetOf(view);
      return target
        ? [
            {
              id: `view ${view.board} ${view.name}`,
              title: t('views.open', { name: view.name }),
              group: 'go' as const,
              run: () => void navigate(target),
            },
          ]
        : [];
    }),
    { id: 'help', title: t('keys.title'), keys: '?', group: 'view', run: () => open('help') },
  ]);

  const { boardTitle, boardLogo, environment, miscLinks = [] } = uiConfig;
  return (
    <div className={style['shell']}>
      <a className={style['skip']} href="#content">
        {t('skip')}
      </a>
      <header className={style['top']}>
        <Link to="/" className={style['brand']} aria-label={boardTitle}>
          {boardLogo ? (
            <img
              src={boardLogo.path}
              alt=""
              width={boardLogo.width}
              height={boardLogo.height ?? 20}
            />
          ) : (
            <Logo />
          )}
          <span>{boardTitle}</span>
        </Link>
        {environment && (
          <span
            className={style['environment']}
            style={{ background: environment.color, color: environment.textColor }}
          >
            {environment.label}
          </span>
        )}
        <nav ref={strip} className={style['nav']} aria-label={t('nav.label')}>
          <Link to="/" activeOptions={{ exact: true, includeSearch: false }}>
            {t('nav.overview')}
          </Link>
          {shownScreens.map(({ id, to }) => (
            <Link key={id} to={to} activeOptions={{ includeSearch: false }}>
              {t(`nav.${id}`)}
            </Link>
          ))}
        </nav>
        <button type="button" className={style['find']} onClick={() => open('palette')}>
          <Icon name="search" size={14} />
          <span>{t('find.placeholder')}</span>
          <kbd aria-hidden="true">{keyLabels('mod+k')[0]}</kbd>
        </button>
        <div className={style['tools']}>
          <LiveState />
          <Button
            look="quiet"
            title={t('settings.nextZone')}
            onClick={nextZone}
            className={style['wide']}
          >
            {t(zone === 'utc' ? 'zone.utc' : 'zone.local')}
          </Button>
          <IconButton
            label={t('settings.theme', { theme: t(`theme.${theme}`) })}
            icon={theme === 'light' ? 'sun' : theme === 'dark' ? 'moon' : 'half'}
            onClick={nextTheme}
          />
          <IconButton label={t('settings.title')} icon="menu" onClick={() => open('settings')} />
          {user && (
            <span className={style['user']}>
              <span title={t('user.signedIn')}>{user.name}</span>
              {user.logoutUrl !== null && <a href={user.logoutUrl}>{t('user.signOut')}</a>}
            </span>
          )}
        </div>
      </header>
      <div className={style['middle']}>
        {sidebar && isWide && (
          <Suspense fallback={<span />}>
            <Sidebar />
          </Suspense>
        )}
        <div id="content" className={style['content']} tabIndex={-1}>
          <Outlet />
        </div>
      </div>
      {miscLinks.length > 0 && (
        <footer className={style['links']}>
          {miscLinks.map(({ text, url }) => (
            <a key={url} href={url}>
              {text}
            </a>
          ))}
        </footer>
      )}
      <Notices />
      <SignedOut />
      <Suspense>
        {layer === 'palette' && <Palette close={() => open(undefined)} />}
        {layer === 'help' && (
          <Help close={() => open(undefined)}>
            <p>
              <a href={openApi}>{t('nav.reference')}</a>
            </p>
          </Help>
        )}
        {layer === 'views' && <ViewsDialog close={() => open(undefined)} />}
        {layer === 'settings' && <SettingsDialog close={() => open(undefined)} />}
      </Suspense>
    </div>
  );
}

function LiveState() {
  const { mode, every, readAt } = useLive();
  // The age is shown only of what is stale; it would change every second.
  const since = useClock(() => (mode === 'stale' ? age(Date.now() - readAt) : ''));
  const text = {
    live: t('live.live'),
    poll: t('live.every', { seconds: every }),
    paused: t('live.paused'),
    stale: t('live.stale', { age: since }),
  }[mode];
  return (
    <Button
      look="quiet"
      className={style['live']}
      data-mode={mode}
      title={mode === 'stale' ? t('live.now') : t('live.toggle')}
      aria-pressed={mode === 'paused'}
      onClick={mode === 'stale' ? readNow : togglePause}
    >
      <span className={style['sign']} aria-hidden="true">
        {{ live: '●', poll: '◔', paused: '❚❚', stale: '▲' }[mode]}
      </span>
      {text}
    </Button>
  );
}

function Notices() {
  const notices = useNotices();
  return (
    <div className={style['notices']} role="status" aria-live="polite">
      {notices.map((notice) => (
        <One key={notice.id} notice={notice} />
      ))}
    </div>
  );
}

function One({ notice }: { readonly notice: Notice }) {
  const { id, text, tone, undo, action, details } = notice;
  const [open, setOpen] = useState(false);
  return (
    <div className={style['notice']} data-tone={tone}>
      <div className={style['line']}>
        <span>{text}</span>
        {details && (
          <Button look="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
            {t('show')}
          </Button>
        )}
        {[action, undo && { label: t('undo'), run: undo }].map(
          (offer) =>
            offer && (
              <Button
                key={offer.label}
                onClick={() => {
                  dismiss(id);
                  offer.run();
                }}
              >
                {offer.label}
              </Button>
            ),
        )}
        <IconButton label={t('dismiss')} icon="cross" onClick={() => dismiss(id)} />
      </div>
      {open && (
        <ul>
          {details?.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
