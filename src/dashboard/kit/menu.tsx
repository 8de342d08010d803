/** A menu behind a button. Base UI is loaded when the pointer or the focus comes near it. */

import { Suspense, useState } from 'react';

import { IconButton } from './button.tsx';
import type { IconName } from './icon.tsx';
import { part } from './patient.ts';

export interface MenuItem {
  readonly id: string;
  readonly label: string;
  readonly icon?: IconName | undefined;
  readonly danger?: boolean | undefined;
  readonly keys?: string | undefined;
  readonly run: () => void;
}

const load = () => import('./menu-layer.tsx');
const MenuLayer = part(load, 'MenuLayer');

export function Menu({
  label,
  items,
  icon = 'more',
  look = 'quiet',
  text,
}: {
  readonly label: string;
  readonly items: readonly MenuItem[];
  readonly icon?: IconName;
  readonly look?: 'quiet' | 'plain';
  readonly text?: string;
}) {
  const [wanted, want] = useState(false);
  if (items.length === 0) return null;
  const plain = (
    <IconButton
      label={label}
      icon={icon}
      look={look}
      aria-haspopup="menu"
      onPointerEnter={() => void load()}
      onFocus={() => void load()}
      onClick={() => want(true)}
    >
      {text}
    </IconButton>
  );
  if (!wanted) return plain;
  return (
    <Suspense fallback={plain}>
      <MenuLayer label={label} items={items} icon={icon} look={look} text={text} />
    </Suspense>
  );
}
