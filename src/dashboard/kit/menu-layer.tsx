/** The open menu, by Base UI. */

import { Menu as Base } from '@base-ui/react/menu';
import { useEffect, useState } from 'react';

import { Keys, buttonClass } from './button.tsx';
import { Icon } from './icon.tsx';
import type { IconName } from './icon.tsx';
import type { MenuItem } from './menu.tsx';
import style from './menu.module.css';

/** Elements that can take the focus must not be hidden from those who hear the page, as Base UI hides its empty guards. */
function showGuards(): void {
  for (const guard of document.querySelectorAll('[data-base-ui-focus-guard][aria-hidden]')) {
    guard.removeAttribute('aria-hidden');
  }
}

export function MenuLayer({
  label,
  items,
  icon,
  look,
  text,
}: {
  readonly label: string;
  readonly items: readonly MenuItem[];
  readonly icon: IconName;
  readonly look: 'quiet' | 'plain';
  readonly text: string | undefined;
}) {
  // It is mounted by the click that opens it.
  const [open, setOpen] = useState(true);
  useEffect(() => {
    if (!open) return;
    const observer = new MutationObserver(showGuards);
    observer.observe(document.body, { childList: true, subtree: true });
    showGuards();
    return () => observer.disconnect();
  }, [open]);
  return (
    <Base.Root open={open} onOpenChange={setOpen} modal={false}>
      <Base.Trigger
        className={buttonClass(look, text === undefined)}
        aria-label={label}
        title={label}
      >
        <Icon name={icon} size={14} />
        {text}
      </Base.Trigger>
      {/* Below the landmark, where those who hear the page look for it. */}
      <Base.Portal container={document.querySelector('main')}>
        <Base.Positioner className={style['positioner']} sideOffset={4} align="end">
          <Base.Popup className={style['popup']}>
            {items.map(({ id, label: text, icon: sign, danger, keys, run }) => (
              <Base.Item
                key={id}
                className={style['item']}
                data-danger={danger || undefined}
                onClick={() => {
                  setOpen(false);
                  run();
                }}
              >
                <span className={style['sign']}>{sign && <Icon name={sign} size={14} />}</span>
                <span className={style['label']}>{text}</span>
                {keys && <Keys keys={keys} />}
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
